import { join } from 'node:path';
import { markDocumentsRead, readInstallation, writeInstallation } from './feed-store.ts';
import { type ImportDependencies, importFeed } from './import-feed.ts';
import { checkFrame, readFeedFile } from './read-feed.ts';
import { shiftDates, wholeWeeksBetween } from './shift-dates.ts';

/**
 * Loads the demonstration firm into an installation that holds nothing, or only the part of it that a start which
 * was cut off had loaded. It is moved by whole weeks so that it speaks of these days: what was a Friday stays one.
 * @param folder holds `firm.json` and its documents
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
  const [refused] = report.refused;
  if (refused) throw new Error(`the demonstration firm is not right: ${refused.place} ${refused.reason}`);
  const today = Date.parse(`${checkFrame(shifted).asOf}T00:00:00Z`);
  await dependencies.database.transaction(async (transaction) => {
    await markDocumentsRead(transaction, { sharedBefore: new Date(today - readAfter) });
    await writeInstallation(transaction, { demonstrationComplete: true });
  });
}

/** Milliseconds after which the demonstration's clients have read what was shared with them. */
const readAfter = 7 * 86_400_000;
