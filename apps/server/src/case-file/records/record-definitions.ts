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

/** Lists with an order that screens show, with the list and field of their parent. */
export const parentOfList = {
  matters: { list: 'cases', field: 'case' },
  searches: { list: 'matters', field: 'matter' },
  tasks: { list: 'cases', field: 'case' },
} as const satisfies Partial<Record<FeedList, { list: FeedList; field: string }>>;
export type OrderedList = keyof typeof parentOfList;

export const isOrdered = (list: FeedList): list is OrderedList => Object.hasOwn(parentOfList, list);
