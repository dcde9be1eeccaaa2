import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseFeed } from '@keyturn/contract';
import { letters } from './letters.ts';
import { okafor } from './okafor.ts';
import { okaforPapers } from './okafor-papers.ts';
import { fileNameOf, type Paper } from './paper.ts';
import { raman } from './raman.ts';
import { renderLetter } from './render-letter.ts';
import { whitcombe } from './whitcombe.ts';
import { whitcombePapers } from './whitcombe-papers.ts';

/** Writes `firm.json` and `documents/` into a folder. The same sources always give the same bytes. */
export async function makeDemonstration(folder: string): Promise<void> {
  const documents = join(folder, 'documents');
  await mkdir(documents, { recursive: true });
  const contents: Record<string, Paper['content']> = {
    ...letters,
    ...Object.fromEntries(
      [...okaforPapers, ...whitcombePapers].map((paper) => [fileNameOf(paper), paper.content]),
    ),
  };
  for (const file of await readdir(documents)) if (!(file in contents)) await rm(join(documents, file));
  const pages = new Map<string, number>();
  for (const [name, content] of Object.entries(contents)) {
    const rendered =
      typeof content === 'function' ? { content: content(), pages: 1 } : await renderLetter(content);
    pages.set(`documents/${name}`, rendered.pages);
    await writeFile(join(documents, name), rendered.content);
  }
  const households: Required<Omit<CaseFeed, 'format' | 'as_of' | 'firm'>>[] = [okafor, raman, whitcombe];
  const feed: CaseFeed = {
    format: 'keyturn-case-feed/1',
    as_of: '2026-11-20',
    firm: {
      name: 'Alder & Finch Conveyancing',
      sra_number: '000000',
      phone: '0117 496 0100',
      address: ['2 Tollgate House', 'Redcliffe Parade', 'Bristol BS1 6TH'],
      opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
    },
    clients: households.flatMap((household) => household.clients),
    cases: households.flatMap((household) => household.cases),
    matters: households.flatMap((household) => household.matters),
    documents: households.flatMap((household) =>
      household.documents.map((document) => ({ ...document, pages: pages.get(document.file) ?? 1 })),
    ),
    searches: households.flatMap((household) => household.searches),
    tasks: households.flatMap((household) => household.tasks),
    history: households.flatMap((household) => household.history),
  };
  await writeFile(join(folder, 'firm.json'), `${JSON.stringify(feed, null, 1)}\n`);
}
