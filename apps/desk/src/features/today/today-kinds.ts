import type { TodayItem, TodayKindName } from '@keyturn/contract/staff';

/** The texts for a kind of item, and the link to its page. */
interface KindTexts {
  /** The title of the item: “Promised update missed”. */
  name: string;
  /** The checked kind, for an empty list: “promised updates”. */
  checked: string;
  /** The label of the link. */
  action: string;
  /** The path of the link, below `/desk`. */
  path(item: Pick<TodayItem, 'case' | 'payment_id' | 'since'>): string;
}

const inCase =
  (part = '') =>
  ({ case: { id } }: Pick<TodayItem, 'case'>) =>
    `/cases/${id}${part}?list=today`;
const atPayment = ({ payment_id }: Pick<TodayItem, 'payment_id'>) => `/payments/${payment_id}`;

export const kindTexts: Record<TodayKindName, KindTexts> = {
  promise_missed: {
    name: 'Promised update missed',
    checked: 'promised updates',
    action: 'Write an update',
    path: inCase(),
  },
  promise_due: {
    name: 'Update promised for today',
    checked: 'promised updates',
    action: 'Write an update',
    path: inCase(),
  },
  search_to_order: {
    name: 'Search paid, not ordered',
    checked: 'searches to order',
    action: 'Order the search',
    path: inCase('/searches'),
  },
  search_expiring: {
    name: 'Search result expires before completion',
    checked: 'search results that expire',
    action: 'Renew the search',
    path: inCase('/searches'),
  },
  document_signed: {
    name: 'Document signed',
    checked: 'signed documents',
    action: 'Open the documents',
    path: inCase('/documents'),
  },
  task_overdue: {
    name: 'Client’s task overdue',
    checked: 'clients’ tasks',
    action: 'Chase the client',
    path: inCase(),
  },
  paper_awaited: {
    name: 'Signed paper not back',
    checked: 'signed papers',
    action: 'Record or chase it',
    path: inCase('/documents'),
  },
  invitation_expired: {
    name: 'Invitation expired',
    checked: 'invitations',
    action: 'Invite again',
    path: inCase('/people'),
  },
  address_not_restored: {
    name: 'Email change undone',
    checked: 'undone changes of email addresses',
    action: 'Open the clients',
    path: inCase('/people'),
  },
  payment_review: {
    name: 'Payment under review',
    checked: 'payments under review',
    action: 'Review the payment',
    path: atPayment,
  },
  payer_check: {
    name: 'Someone else paid',
    checked: 'payments by other people',
    action: 'Check who paid',
    path: atPayment,
  },
  payment_matter: {
    name: 'Paid for an unknown matter',
    checked: 'payments without a matter',
    action: 'Name the matter',
    path: atPayment,
  },
  payout_failed: {
    name: 'Payout failed',
    checked: 'failed payouts',
    action: 'Open the ledger',
    path: ({ since }) => `/payments/ledger?from=${since}&to=${since}`,
  },
  refund_approval: {
    name: 'Refund to approve',
    checked: 'refunds to approve',
    action: 'Approve or reject',
    path: atPayment,
  },
  refund_failed: {
    name: 'Refund failed',
    checked: 'failed refunds',
    action: 'Refund it another way',
    path: atPayment,
  },
  refund_underfunded: {
    name: 'Refund failed: too little money at the provider',
    checked: 'failed refunds',
    action: 'Add money, then refund',
    path: atPayment,
  },
  fraud_warning: {
    name: 'Early fraud warning',
    checked: 'fraud warnings',
    action: 'Check with the client',
    path: atPayment,
  },
  provider_review: {
    name: 'Payment held by the provider',
    checked: 'payments that the provider holds',
    action: 'Check the payment',
    path: atPayment,
  },
  dispute_open: {
    name: 'Dispute to answer',
    checked: 'disputes',
    action: 'Answer the dispute',
    path: atPayment,
  },
  bill_overdue: {
    name: 'Bill overdue',
    checked: 'unpaid bills',
    action: 'Open the bills',
    path: inCase('/payments'),
  },
};

/** “promised updates, searches to order and signed documents” */
export function checkedText(kinds: readonly TodayKindName[]): string {
  const names = [...new Set(kinds.map((kind) => kindTexts[kind].checked))];
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** “today”, “yesterday” or “3 days ago” */
export function ageText(day: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000);
  if (days <= 0) return 'today';
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
