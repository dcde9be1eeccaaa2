import type { EventName } from '@keyturn/contract';
import { queryKeys } from '../api/queries/queries.ts';

export type QueryKey = readonly unknown[];

/** What is to be read again after an event about the case of this generation, and nothing else. */
export function queriesForEvent(event: EventName, ids: string[], generation: number): QueryKey[] {
  switch (event) {
    case 'PaymentUpdated':
      // That of a single payment stands below the list of them. The client has the due money and the tasks.
      return [queryKeys.payments(generation), queryKeys.caseSearches(generation), queryKeys.client];
    case 'CaseSearchUpdated':
      return [queryKeys.caseSearches(generation), queryKeys.client];
    case 'MilestoneReached':
      return [queryKeys.milestones(generation), queryKeys.client];
    case 'DocumentShared':
      return [queryKeys.documents(generation), ...documents(ids)];
    case 'HistoryRecorded':
      // The longer readings of the history follow the newest one by themselves.
      return [queryKeys.newestHistory(generation)];
    case 'TaskUpdated':
    case 'CaseUpdated':
      return [queryKeys.client, queryKeys.milestones(generation)];
    case 'MaintenanceChanged':
      return [];
  }
}

/** After a gap: everything that changes, but for the longer readings of the history. */
export const queriesAfterGap = (generation: number): QueryKey[] => [
  queryKeys.client,
  queryKeys.caseSearches(generation),
  queryKeys.milestones(generation),
  queryKeys.payments(generation),
  queryKeys.documents(generation),
  queryKeys.newestHistory(generation),
  ...documents([]),
];

/** These documents, or without names all of them. */
const documents = (ids: string[]): QueryKey[] =>
  ids.length === 0 ? [['documents']] : ids.map((id) => queryKeys.document(id));
