import type { EventName } from '@keyturn/contract';
import { queryKeys } from '../api/queries/query-keys.ts';

export type QueryKey = readonly unknown[];

/** Returns the queries that an event makes stale. @param generation of the case state the event is about */
export function queriesForEvent(event: EventName, ids: string[], generation: number): QueryKey[] {
  switch (event) {
    case 'PaymentUpdated':
      // The payments key covers single payments too. The client query contains the money due and the tasks, and the
      // milestones say who has to act next.
      return [
        queryKeys.payments(generation),
        queryKeys.bills(generation),
        queryKeys.caseSearches(generation),
        queryKeys.client,
        queryKeys.milestones(generation),
      ];
    case 'CaseSearchUpdated':
      // The file of a result is shared once the search is reviewed.
      return [
        queryKeys.caseSearches(generation),
        queryKeys.documents(generation),
        queryKeys.client,
        queryKeys.milestones(generation),
      ];
    case 'MilestoneReached':
      return [queryKeys.milestones(generation), queryKeys.client];
    case 'DocumentShared':
      // The client query contains the number of unread documents. A signature also changes the tasks, and who has to act
      // next. Bills and searches name their documents.
      return [
        queryKeys.bills(generation),
        queryKeys.caseSearches(generation),
        queryKeys.documents(generation),
        ...documentQueries(ids),
        queryKeys.client,
        queryKeys.milestones(generation),
      ];
    case 'HistoryRecorded':
      // Longer parts of the history refetch when the newest entries change.
      return [queryKeys.newestHistory(generation)];
    case 'TaskUpdated':
      return [queryKeys.client, queryKeys.milestones(generation)];
    case 'CaseUpdated':
      // Whether searches can be paid for follows from the status of the case.
      return [
        queryKeys.client,
        queryKeys.milestones(generation),
        queryKeys.bills(generation),
        queryKeys.caseSearches(generation),
      ];
    case 'MaintenanceChanged':
      return [];
  }
}

/** Returns every query that events can make stale, for use after events may have been missed. */
export const queriesAfterGap = (generation: number): QueryKey[] => [
  queryKeys.client,
  queryKeys.caseSearches(generation),
  queryKeys.milestones(generation),
  queryKeys.payments(generation),
  queryKeys.bills(generation),
  queryKeys.documents(generation),
  queryKeys.newestHistory(generation),
  ...documentQueries([]),
];

/** The queries of these documents; of all documents when there are no ids. */
const documentQueries = (ids: string[]): QueryKey[] =>
  ids.length === 0 ? [['documents']] : ids.map((id) => queryKeys.document(id));
