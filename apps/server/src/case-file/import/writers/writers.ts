import type { FeedList } from '@keyturn/contract';
import type { BatchContext, BatchWriter } from '../batches/batch-context.ts';
import { openBillWriter } from './write-bill.ts';
import { openCaseWriter } from './write-case.ts';
import { openClientWriter } from './write-client.ts';
import { openDocumentWriter } from './write-document.ts';
import { openHistoryWriter } from './write-history.ts';
import { openMatterWriter } from './write-matter.ts';
import { openSearchWriter } from './write-search.ts';
import { openTaskWriter } from './write-task.ts';

/** Opens the writer of each list: reads and locks, for a batch, everything that decides what is written. */
export const writers: {
  [List in FeedList]: (context: BatchContext<List>) => Promise<BatchWriter<List>>;
} = {
  clients: openClientWriter,
  cases: openCaseWriter,
  matters: openMatterWriter,
  documents: openDocumentWriter,
  searches: openSearchWriter,
  tasks: openTaskWriter,
  bills: openBillWriter,
  history: openHistoryWriter,
};
