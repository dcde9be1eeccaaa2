import type { FeedList } from '@keyturn/contract';
import { openBillWriter } from '../bills/write-bill.ts';
import { openCaseWriter } from '../cases/write-case.ts';
import { openDocumentWriter } from '../documents/write-document.ts';
import { openHistoryWriter } from '../history/write-history.ts';
import { openMatterWriter } from '../matters/write-matter.ts';
import { openClientWriter } from '../people/write-client.ts';
import { openSearchWriter } from '../searches/write-search.ts';
import { openTaskWriter } from '../tasks/write-task.ts';
import type { RecordWriter, WriterContext } from './record-writer.ts';

/** Opens the writer of each list: reads and locks, for a batch, everything that decides what is written. */
export const writers: {
  [List in FeedList]: (context: WriterContext<List>) => Promise<RecordWriter<List>>;
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
