import type { Clock } from '../../platform/clock.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import type { Discrepancy } from '../records/discrepancies.ts';
import { type Ledger, type LedgerPeriod, readLedger } from './read-ledger.ts';
import { reconcileAccounts } from './reconcile-accounts.ts';

/** Reads the ledger of a period with its discrepancies, from one snapshot of the database. */
export const readLedgerReport = (
  { database, clock }: { database: Database; clock: Clock },
  period: LedgerPeriod,
): Promise<{ ledger: Ledger; discrepancies: Discrepancy[] }> =>
  runTransaction(
    database,
    async (transaction: Connection) => ({
      ledger: await readLedger(transaction, period),
      discrepancies: await reconcileAccounts(transaction, clock()),
    }),
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
