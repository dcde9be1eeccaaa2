import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PaymentRules } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { addWorkingDays } from '@keyturn/format/working-days';
import { sql } from 'drizzle-orm';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { markDocumentsRead } from '../../case-file/import/feed-store.ts';
import type { MakeDemonstration } from '../../case-file/import/ports.ts';
import { fillIn } from '../../firm/change-firm-data.ts';
import { readInstallation, writeInstallation } from '../../firm/installation.ts';
import { bankHolidayDays } from '../../platform/firm-data/firm-data.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { importFeed } from './import-feed.ts';

/**
 * Loads the demonstration firm into an empty installation, or completes an interrupted load. All dates are relative to
 * the day it is loaded.
 * @param loadedOn replaces today, for pictures and tests; `YYYY-MM-DD`
 */
export async function loadDemonstration({
  make,
  loadedOn,
  ...dependencies
}: ImportDependencies & { make: MakeDemonstration; loadedOn: string | null }): Promise<void> {
  const { contents, demonstrationComplete } = await readInstallation(dependencies.database);
  if (contents === 'real' || demonstrationComplete) return;
  const folder = await mkdtemp(join(tmpdir(), 'keyturn-demonstration-'));
  try {
    const { feed, regulation } = await make(folder, loadedOn ?? londonDay(dependencies.clock()));
    const { format, as_of, firm, ...records } = feed;
    const importPart = async (part: object) => {
      const all = { feed: { format, as_of, ...part }, folder, as: 'demonstration', actor } as const;
      const [rejected] = (await importFeed(dependencies, all)).rejected;
      if (rejected) throw new Error(`invalid demonstration firm: ${rejected.place} ${rejected.reason}`);
    };
    await importPart({ firm });
    // Its clients have passwords, which a feed can set only for a firm that can invite clients.
    await fillIn(dependencies.database, 'regulation', regulation, dependencies.clock());
    await importPart(records);
    await runTransaction(dependencies.database, async (transaction) => {
      const { rows } = await transaction.execute<{ closed_on: string[] }>(
        sql`select ${bankHolidayDays} as closed_on`,
      );
      const unreadSince = addWorkingDays(feed.as_of, -unreadFor, rows[0]?.closed_on ?? []);
      await markDocumentsRead(transaction, { sharedBefore: new Date(`${unreadSince}T00:00:00Z`) });
      await fillIn(transaction, 'payment_rules', demonstrationRules, dependencies.clock());
      await writeInstallation(transaction, { demonstrationComplete: true });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const actor = { kind: 'system', id: null, name: 'Keyturn' } as const;

/** Working days, in which the demonstration counts its days, for which its clients have left documents unread. */
const unreadFor = 5;

/** The demonstration firm accepts every payment, and checks who its clients are first. */
const demonstrationRules: PaymentRules = {
  order_searches: 'at_once',
  is_decided: true,
  unasked: {
    money_on_account: 10_000_00,
    identity_check: 100_00,
    search_pack: 1_000_00,
    leasehold_pack: 1_000_00,
    indemnity_insurance: 1_000_00,
    other: 1_000_00,
  },
  not_before: {
    search: 'identity_checked',
    money_on_account: 'identity_checked',
    identity_check: 'none',
    search_pack: 'identity_checked',
    legal_fees: 'identity_checked',
    leasehold_pack: 'identity_checked',
    indemnity_insurance: 'identity_checked',
    other: 'identity_checked',
  },
};
