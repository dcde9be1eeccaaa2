import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { londonDay } from '@keyturn/format/london-time';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { markDocumentsRead } from '../../case-file/import/feed-store.ts';
import type { MakeDemonstration } from '../../case-file/import/ports.ts';
import { readInstallation, writeInstallation } from '../../firm/installation.ts';
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
    const today = Date.parse(`${feed.as_of}T00:00:00Z`);
    await runTransaction(dependencies.database, async (transaction) => {
      await markDocumentsRead(transaction, { sharedBefore: new Date(today - readAfter) });
      await writeInstallation(transaction, { demonstrationComplete: true });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const actor = { kind: 'system', id: null, name: 'Keyturn' } as const;

/** Milliseconds after which documents count as read by the demonstration's clients. */
const readAfter = 7 * 86_400_000;
