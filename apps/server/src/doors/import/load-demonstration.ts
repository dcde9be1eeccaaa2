import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Regulation } from '@keyturn/contract';
import { londonDay } from '@keyturn/format/london-time';
import { addWorkingDays } from '@keyturn/format/working-days';
import { sql } from 'drizzle-orm';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { markDocumentsRead } from '../../case-file/import/feed-store.ts';
import type { MakeDemonstration } from '../../case-file/import/ports.ts';
import { fillInRegulation } from '../../firm/change-firm-data.ts';
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
    const feed = await make(folder, loadedOn ?? londonDay(dependencies.clock()));
    const report = await importFeed(dependencies, { feed, folder, as: 'demonstration', actor });
    const [rejected] = report.rejected;
    if (rejected) throw new Error(`invalid demonstration firm: ${rejected.place} ${rejected.reason}`);
    await runTransaction(dependencies.database, async (transaction) => {
      const { rows } = await transaction.execute<{ closed_on: string[] }>(
        sql`select ${bankHolidayDays} as closed_on`,
      );
      const unreadSince = addWorkingDays(feed.as_of, -unreadFor, rows[0]?.closed_on ?? []);
      await markDocumentsRead(transaction, { sharedBefore: new Date(`${unreadSince}T00:00:00Z`) });
      await fillInRegulation(transaction, regulation, dependencies.clock());
      await writeInstallation(transaction, { demonstrationComplete: true });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the demonstration firm shows as a regulated one. Its numbers, like its address, belong to no one. */
const regulation: Regulation = {
  legal_form: 'company',
  legal_name: 'Alder & Finch Conveyancing Limited',
  company_number: '00000000',
  registered_in: 'england_and_wales',
  registered_office: ['2 Tollgate House', 'Redcliffe Parade', 'Bristol BS1 6TH'],
  member_names: [],
  members_list_at: null,
  regulator: 'sra',
  complaints_name: 'Dana Price, director',
  complaints_email: 'complaints@alderfinch.example',
  data_protection_name: 'Dana Price, director',
  data_protection_email: 'privacy@alderfinch.example',
  terms: [{ name: 'Terms of business', url: 'https://www.alderfinch.example/terms' }],
  insurer_name: 'Example Indemnity Insurance plc',
  insurer_contact: '1 Example Street, London EC3A 0AA',
  insurer_cover: 'Work done from our offices in England and Wales',
  ombudsman_text: [],
  badge_url: null,
  bank_details_adopted_on: null,
};

const actor = { kind: 'system', id: null, name: 'Keyturn' } as const;

/** Working days, in which the demonstration counts its days, for which its clients have left documents unread. */
const unreadFor = 5;
