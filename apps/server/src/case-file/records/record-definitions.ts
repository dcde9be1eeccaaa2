import type { FeedList } from '@keyturn/contract';
import { billRecord } from '../bills/bill-record.ts';
import { caseRecord } from '../cases/case-record.ts';
import { documentRecord } from '../documents/document-record.ts';
import { historyRecord } from '../history/history-record.ts';
import { matterRecord } from '../matters/matter-record.ts';
import { clientRecord } from '../people/client-record.ts';
import { searchRecord } from '../searches/search-record.ts';
import { taskRecord } from '../tasks/task-record.ts';
import type { RecordDefinition } from './define-record.ts';

/** The records of the case feed, in the order in which they refer to each other. */
export const recordDefinitions: { [List in FeedList]: RecordDefinition<List> } = {
  clients: clientRecord,
  cases: caseRecord,
  matters: matterRecord,
  documents: documentRecord,
  searches: searchRecord,
  tasks: taskRecord,
  bills: billRecord,
  history: historyRecord,
};
