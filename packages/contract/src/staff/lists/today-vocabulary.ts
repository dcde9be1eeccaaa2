import type { StaffRole } from '../staff-entities.ts';

interface TodayKind {
  roles: readonly StaffRole[];
  /** How an item ends: when its cause ends, or when a staff member marks it as done. */
  endedBy: 'data' | 'staff';
}

const caseKind = { roles: ['handler', 'admin'], endedBy: 'data' } as const satisfies TodayKind;
const moneyKind = { roles: ['finance', 'admin'], endedBy: 'data' } as const satisfies TodayKind;

/**
 * The kinds of items in *Today*, the roles that see them, and how they end. The server lists a kind only for its
 * roles.
 */
export const todayKinds = {
  /** The day of a promised update has passed. */
  promise_missed: caseKind,
  /** An update is promised for today. */
  promise_due: caseKind,
  /** A client has paid for a search that is not ordered. */
  search_to_order: caseKind,
  /** A search result expires soon, and before completion. */
  search_expiring: caseKind,
  /** A client has signed a document on the screen. */
  document_signed: { ...caseKind, endedBy: 'staff' },
  /** A client has not done a task by the day it was due. */
  task_overdue: caseKind,
  /** A document signed on paper has not come back in time. */
  paper_awaited: caseKind,
  /** A client’s invitation has expired, and they cannot sign in. */
  invitation_expired: caseKind,
  /** A change of a client’s email address was undone, and they have not proved who they are since. */
  address_not_restored: caseKind,
  /** A payment needs manual review. */
  payment_review: moneyKind,
  /** Another person’s card paid, and no one has recorded who that is: the money must not be used yet. */
  payer_check: moneyKind,
  /** A client paid without saying for which matter, and finance has to name it. */
  payment_matter: moneyKind,
  /** The bank returned a payout, and no one has found its money on a later bank statement. */
  payout_failed: moneyKind,
  /** A refund was requested and needs a second person. */
  refund_approval: moneyKind,
  /** A refund did not reach the client, and was not made again. */
  refund_failed: { ...moneyKind, endedBy: 'staff' },
  /** A refund was not made, because too little money was available at the provider. */
  refund_underfunded: { ...moneyKind, endedBy: 'staff' },
  /** The card’s bank suspects fraud, and a refund would still prevent a dispute. */
  fraud_warning: { ...moneyKind, endedBy: 'staff' },
  /** The payment provider asks the firm to check a payment. */
  provider_review: moneyKind,
  /** A dispute or inquiry needs an answer. */
  dispute_open: moneyKind,
  /** A bill was not paid by the day it was due. */
  bill_overdue: moneyKind,
} as const satisfies Record<string, TodayKind>;
export type TodayKindName = keyof typeof todayKinds;
export const todayKindNames = Object.keys(todayKinds) as TodayKindName[];

/**
 * Kinds that pages of release 0.2.0 do not know. Their items are in a list that those pages ignore; the next release lists
 * them with the others.
 */
export const addedTodayKinds = [
  'payer_check',
  'payment_matter',
  'payout_failed',
  'refund_failed',
  'refund_underfunded',
  'fraud_warning',
  'provider_review',
] as const satisfies readonly TodayKindName[];
type AddedTodayKind = (typeof addedTodayKinds)[number];

export const isAddedTodayKind = (kind: TodayKindName): kind is AddedTodayKind =>
  (addedTodayKinds as readonly TodayKindName[]).includes(kind);
export const formerTodayKinds = todayKindNames.filter(
  (kind): kind is Exclude<TodayKindName, AddedTodayKind> => !isAddedTodayKind(kind),
);

/** Returns the kinds that a role sees. */
export const todayKindsOf = (role: StaffRole): TodayKindName[] =>
  todayKindNames.filter((kind) => (todayKinds[kind].roles as readonly StaffRole[]).includes(role));

export const todayUrgencies = ['late', 'today', 'soon'] as const;
export type TodayUrgency = (typeof todayUrgencies)[number];

/** `mine`: assigned to the caller, or to no one on a case of which they are a handler. */
export const todayLists = ['mine', 'all', 'unassigned', 'snoozed'] as const;
export type TodayList = (typeof todayLists)[number];
