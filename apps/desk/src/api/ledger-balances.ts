import type { LedgerBalances } from '@keyturn/contract';
import { formatShortDay } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';

/** Describes the balance of a matter in the firm’s own client ledger, with the day that it is of. */
export const describeClientBalance = ({ client, on }: LedgerBalances): string =>
  `Client ledger balance on ${formatShortDay(on)}, from your ledger: ${formatMoney(client)}.${client < 0 ? ` ${overdrawn}` : ''}`;

const overdrawn =
  'It is overdrawn, which your regulator’s accounts rules never allow. Replace the money, or correct the posting, at once.';

/** Describes the balance of the office ledger; null if the firm’s system does not send it. */
export const describeOfficeBalance = ({ office, on }: LedgerBalances): string | null =>
  office === undefined
    ? null
    : `Office ledger balance on ${formatShortDay(on)}, from your ledger: ${
        office < 0 ? `the client owes you ${formatMoney(-office)}` : formatMoney(office)
      }.`;
