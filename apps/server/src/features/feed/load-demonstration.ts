import { join } from 'node:path';
import { readInstallation, writeInstallation } from './feed-store.ts';
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
  const { holds, demonstrationComplete } = await readInstallation(dependencies.database);
  if (holds === 'real' || demonstrationComplete) return;
  const feed = await readFeedFile(join(folder, 'firm.json'));
  const weeks = wholeWeeksBetween(checkFrame(feed).asOf, dependencies.clock());
  const report = await importFeed(dependencies, {
    feed: shiftDates(feed, weeks * 7),
    folder,
    as: 'demonstration',
  });
  const [refused] = report.refused;
  if (refused) throw new Error(`the demonstration firm is not right: ${refused.place} ${refused.reason}`);
  await writeInstallation(dependencies.database, { demonstrationComplete: true });
}
