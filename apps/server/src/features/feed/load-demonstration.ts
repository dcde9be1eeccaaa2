import { join } from 'node:path';
import { markDocumentsRead, readInstallation, writeInstallation } from './feed-store.ts';
import { importFeed } from './import-feed.ts';
import { checkFrame, readFeedFile } from './read-feed.ts';
import type { ImportDependencies } from './record-context.ts';
import { shiftDates, wholeWeeksBetween } from './shift-dates.ts';

/**
 * Loads the demonstration firm into an empty installation, or completes an interrupted load. All dates move by whole weeks
 * to be current and keep their weekday.
 * @param folder contains `firm.json` and its documents
 */
export async function loadDemonstration({
  folder,
  ...dependencies
}: ImportDependencies & { folder: string }): Promise<void> {
  const { contents, demonstrationComplete } = await readInstallation(dependencies.database);
  if (contents === 'real' || demonstrationComplete) return;
  const feed = await readFeedFile(join(folder, 'firm.json'));
  const weeks = wholeWeeksBetween(checkFrame(feed).asOf, dependencies.clock());
  const shifted = shiftDates(feed, weeks * 7);
  const report = await importFeed(dependencies, {
    feed: shifted,
    folder,
    as: 'demonstration',
  });
  const [rejected] = report.rejected;
  if (rejected) throw new Error(`invalid demonstration firm: ${rejected.place} ${rejected.reason}`);
  const today = Date.parse(`${checkFrame(shifted).asOf}T00:00:00Z`);
  await dependencies.database.transaction(async (transaction) => {
    await markDocumentsRead(transaction, { sharedBefore: new Date(today - readAfter) });
    await writeInstallation(transaction, { demonstrationComplete: true });
  });
}

/** Milliseconds after which documents count as read by the demonstration's clients. */
const readAfter = 7 * 86_400_000;
