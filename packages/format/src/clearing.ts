import { formatDay } from './london-time.ts';

/** Returns when the money of a payment cleared or is expected to, as a label and a text for receipts and emails. */
export const formatClearing = ({ is_cleared, on }: { is_cleared: boolean; on: string }): [string, string] =>
  is_cleared ? ['Cleared', formatDay(on)] : ['Clears', `Expected by ${formatDay(on)}`];

/** When a firm that waits for the money orders a search, within a sentence. @param expected a day in words; null if it is not known */
export const onceCleared = (expected: string | null): string =>
  `once the money has cleared${expected === null ? '' : ` (expected by ${expected})`}`;

/** The note for a client who paid with another person's card. */
export const anotherCardNotice =
  'This was paid with someone else’s card, so we check who paid before we use the money.';
