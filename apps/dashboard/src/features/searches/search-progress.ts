import type { CaseSearch } from '@keyturn/contract';
import type { StatusTone } from '../../ui/content/status-tag.tsx';
import { formatDayRange, workingWeekOf } from '../../ui/format/format-date.ts';
import { formatMoney } from '../../ui/format/format-money.ts';

/** Where a search stands, in words for the client. */
export function searchStatus(caseSearch: CaseSearch, today: string): { tone: StatusTone; words: string } {
  const { status, delayed_reason, expected_on, outcome, payment } = caseSearch;
  if (caseSearch.under_review) return { tone: 'held', words: 'We are looking at your payment' };
  switch (status) {
    case 'awaiting_payment':
      if (payment?.status === 'processing')
        return { tone: 'moving', words: 'Your bank is confirming the payment' };
      return { tone: 'to-do', words: 'To pay' };
    case 'paid':
      return { tone: 'moving', words: 'Paid, being ordered' };
    case 'ordered':
      if (delayed_reason) return { tone: 'held', words: `Delayed: ${delayed_reason.replace(/[.\s]+$/, '')}` };
      return {
        tone: 'moving',
        words: expected_on ? `Ordered, ${expectation(expected_on, today)}` : 'Ordered',
      };
    case 'returned':
      return { tone: 'moving', words: 'Back, we are reading it' };
    case 'reviewed':
      if (outcome === 'attention') return { tone: 'note', words: 'Points to note' };
      return { tone: 'good', words: outcome === 'clear' ? 'Clear' : 'Back and read' };
    case 'cancelled':
      return { tone: 'off', words: 'Cancelled' };
  }
}

/** The firm's day is a guess: it is said as its working week. */
function expectation(day: string, today: string): string {
  const { from, to } = workingWeekOf(day);
  return to < today ? 'later than expected' : `expected ${formatDayRange(from, to, today)}`;
}

/** What a search costs, or what became of the money. */
export function searchCost({ status, price, payment, paid_at, under_review }: CaseSearch): {
  amount: string;
  note: string | null;
} {
  const gross = formatMoney(price.gross);
  if (under_review) return { amount: gross, note: 'do not pay again' };
  if (status === 'awaiting_payment') {
    if (payment?.status === 'processing') return { amount: gross, note: 'on its way' };
    return { amount: gross, note: price.vat > 0 ? `including ${formatMoney(price.vat)} VAT` : 'no VAT' };
  }
  if (payment?.status === 'refunded') return { amount: gross, note: 'given back to you' };
  if (payment?.status === 'partially_refunded') return { amount: gross, note: 'paid, part given back' };
  // What was paid before this dashboard has a day of payment and no payment of ours.
  if (payment?.status === 'succeeded' || paid_at) return { amount: gross, note: 'paid' };
  return { amount: '', note: status === 'cancelled' ? null : 'nothing to pay' };
}

/** What can be paid comes first; the rest stays as the firm ordered it. */
export const payableFirst = (one: CaseSearch, other: CaseSearch): number =>
  Number(other.payable) - Number(one.payable);

/** "the local authority search", for the middle of a sentence. */
export function searchInSentence(name: string): string {
  const lower = /^\p{Lu}\p{Ll}/u.test(name)
    ? name.charAt(0).toLocaleLowerCase('en-GB') + name.slice(1)
    : name;
  return `the ${lower}${/\bsearch$/i.test(name) ? '' : ' search'}`;
}
