import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseFeed } from '@keyturn/contract';

import { billPapers } from './bills.ts';
import { type Calendar, createCalendar, moveDates, sourceToday } from './calendar.ts';
import { firm } from './firm.ts';
import { letters } from './letters.ts';
import { okafor } from './okafor.ts';
import { okaforPapers } from './okafor-papers.ts';
import { fileNameOf } from './paper.ts';
import { raman } from './raman.ts';
import { type Letter, renderLetter } from './render-letter.ts';
import { staffDay } from './staff-day.ts';
import { whitcombe } from './whitcombe.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

export interface DemonstrationOptions {
  /** An existing folder that the documents are written to. */
  folder: string;
  /** The folder of this file, which contains the pictures. */
  sources: string;
  /** The day on which the demonstration is loaded, in Europe/London. Every date is relative to it. */
  loadedOn: string;
}

/** Writes the documents of the demonstration firm into a folder. @returns its case feed, relative to the folder */
export async function makeDemonstration({
  folder,
  sources,
  loadedOn,
}: DemonstrationOptions): Promise<CaseFeed> {
  const calendar = createCalendar(loadedOn);
  const feed = demonstrationFeed(calendar);
  await mkdir(join(folder, 'documents'), { recursive: true });
  const documents = [];
  for (const document of feed.documents) {
    const { file, shared_at } = document;
    const letter = contents.get(file.replace('documents/', ''));
    if (letter === undefined) throw new Error(`${file} has no content`);
    if (letter === 'picture') {
      await copyFile(join(sources, file.replace('documents/', 'pictures/')), join(folder, file));
      documents.push({ ...document, pages: 1 });
      continue;
    }
    const { content, pages } = await renderLetter(moveDates(letter, calendar), new Date(shared_at));
    await writeFile(join(folder, file), content);
    documents.push({ ...document, pages });
  }
  return { ...feed, documents };
}

const contents = new Map<string, Letter | 'picture'>([
  ...Object.entries(letters),
  ...[...okaforPapers, ...whitcombePapers, ...billPapers].map(
    (paper) => [fileNameOf(paper), paper.content] as const,
  ),
]);

/** Returns the case feed of the demonstration firm, without the documents' numbers of pages. */
export function demonstrationFeed(calendar: Calendar) {
  const households: Required<Omit<CaseFeed, 'format' | 'as_of' | 'firm'>>[] = [
    okafor,
    raman,
    whitcombe,
    staffDay,
  ];
  const feed = {
    format: 'keyturn-case-feed/1' as const,
    as_of: sourceToday,
    firm,
    clients: households.flatMap((household) => household.clients),
    cases: households.flatMap((household) => household.cases),
    matters: households.flatMap((household) => household.matters),
    documents: households.flatMap((household) => household.documents),
    searches: households.flatMap((household) => household.searches),
    tasks: households.flatMap((household) => household.tasks),
    bills: households.flatMap((household) => household.bills),
    history: households.flatMap((household) => household.history),
  };
  return moveDates(feed, calendar);
}
