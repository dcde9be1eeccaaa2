import type { CaseSearch, Firm } from '@keyturn/contract';
import { formatDayRange, workingWeekOf } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { orderOf } from '../../api/case/order-promise.ts';

/** Returns the status tag of a search. */
export function searchStatus(
  caseSearch: CaseSearch,
  today: string,
  firm: Firm,
): { tone: StatusTone; label: string } {
  const { status, delayed_reason, expected_on, outcome, payment } = caseSearch;
  if (caseSearch.under_review) return { tone: 'held', label: 'We’re reviewing your payment' };
  const dispute = disputeWordsOf(payment);
  switch (status) {
    case 'awaiting_payment':
      if (payment?.status === 'processing')
        return { tone: 'moving', label: 'Your bank is confirming the payment' };
      return { tone: 'to-do', label: 'To pay' };
    case 'paid':
      if (dispute) return { tone: 'held', label: `Paid, ${dispute.text}` };
      return { tone: 'moving', label: paidText(caseSearch, today, firm) };
    case 'ordered':
      if (delayed_reason) return { tone: 'held', label: `Delayed: ${delayed_reason.replace(/[.\s]+$/, '')}` };
      return {
        tone: 'moving',
        label: expected_on ? `Ordered, ${expectedText(expected_on, today)}` : 'Ordered',
      };
    case 'returned':
      return { tone: 'moving', label: 'Result received, we’re checking it' };
    case 'reviewed':
      if (outcome === 'attention') return { tone: 'note', label: 'Points to note' };
      return { tone: 'good', label: outcome === 'clear' ? 'Clear' : 'Checked' };
    case 'cancelled':
      return { tone: 'off', label: 'Cancelled' };
  }
}

function paidText({ paid_at, payment }: CaseSearch, today: string, firm: Firm): string {
  if (payment?.status === 'refunded') return 'Refunded, not ordered';
  if (!paid_at) return 'Paid, not ordered yet';
  const check = payment?.payer_check;
  if (check && check.done_at === null) return 'Paid by someone else, which we check first';
  const paidAt = check?.done_at ?? paid_at;
  const { isLate, text } = orderOf({ paidAt, clearing: payment?.clearing }, firm, today);
  return isLate ? 'Paid, not ordered yet' : `Paid, due to be ordered ${text}`;
}

/** The firm decides whether it orders the search, so no text may name a day, or say that the money is kept. */
const disputeWords = {
  inquiry: { text: 'queried by the card’s bank', note: 'queried' },
  open: { text: 'disputed with the card’s bank', note: 'disputed' },
  lost: { text: 'reversed by the card’s bank', note: 'reversed' },
  won: null,
} as const;

const disputeWordsOf = (payment: CaseSearch['payment']) =>
  payment?.dispute ? disputeWords[payment.dispute.status] : null;

/** The firm’s date is an estimate, so it is shown as its working week. */
function expectedText(day: string, today: string): string {
  const { from, to } = workingWeekOf(day);
  return to < today ? 'later than expected' : `expected ${formatDayRange(from, to, today)}`;
}

/** Returns the cost of a search, with a note on its VAT or its payment. */
export function searchCost(
  { status, price, payment, paid_at, under_review }: CaseSearch,
  { vat_number }: Pick<Firm, 'vat_number'>,
): { amount: string; note: string | null } {
  const gross = formatMoney(price.gross);
  if (under_review) return { amount: gross, note: 'please don’t pay again' };
  if (status === 'awaiting_payment') {
    if (payment?.status === 'processing') return { amount: gross, note: 'payment in progress' };
    return { amount: gross, note: vatNote(price, vat_number) };
  }
  const dispute = disputeWordsOf(payment);
  if (dispute) return { amount: gross, note: dispute.note };
  if (payment?.status === 'refunded') return { amount: gross, note: 'refunded' };
  if (payment?.status === 'partially_refunded') return { amount: gross, note: 'partly refunded' };
  // A search paid for outside this dashboard has a payment date but no payment.
  if (payment?.status === 'succeeded' || paid_at) return { amount: gross, note: 'paid' };
  return { amount: '', note: status === 'cancelled' ? null : 'nothing to pay' };
}

/** A firm without a VAT number charges no VAT, so a price then says nothing about it. */
function vatNote({ vat }: CaseSearch['price'], vatNumber: string | null): string | null {
  if (vat === 0) return 'no VAT';
  return vatNumber ? `including ${formatMoney(vat)} VAT` : null;
}

/** Sorts payable searches first and keeps the firm’s order otherwise. */
export const payableFirst = (a: CaseSearch, b: CaseSearch): number => Number(b.payable) - Number(a.payable);

/** Whether a search needs nothing more from anyone. */
export const isSearchSettled = ({ status, under_review }: CaseSearch): boolean =>
  (status === 'reviewed' || status === 'cancelled') && !under_review;

/** Counts settled searches for a heading: "2 searches done". */
export function settledHeading(settled: CaseSearch[]): string {
  const count = settled.length === 1 ? '1 search' : `${settled.length} searches`;
  return `${count} ${settled.every(({ status }) => status === 'cancelled') ? 'cancelled' : 'done'}`;
}

/** Counts settled searches by result: "2 clear, 1 with points to note". */
export function settledText(settled: CaseSearch[]): string {
  const counts = new Map<string, number>();
  for (const { status, outcome } of settled) {
    const result = status === 'cancelled' ? 'cancelled' : settledResults[outcome ?? 'none'];
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  return [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
}

const settledResults = { clear: 'clear', attention: 'with points to note', none: 'checked' };

/** Returns the name of a search inside a sentence: "the local authority search". */
export function searchInSentence(name: string): string {
  const lower = /^\p{Lu}\p{Ll}/u.test(name)
    ? name.charAt(0).toLocaleLowerCase('en-GB') + name.slice(1)
    : name;
  return `the ${lower}${/\bsearch$/i.test(name) ? '' : ' search'}`;
}
