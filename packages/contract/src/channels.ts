/*
 * How channels and events of the real-time channel are called. Apart from the schemas in realtime.ts, so that the
 * browser comes without those.
 */

/** Before the name of every event, with dots for backslashes, as laravel-echo has it: `App\Events\PaymentUpdated`. */
export const eventNamespace = 'App.Events';

export const eventNames = [
  'CaseUpdated',
  'CaseSearchUpdated',
  'MilestoneReached',
  'DocumentShared',
  'PaymentUpdated',
  'TaskUpdated',
  'HistoryRecorded',
  'MaintenanceChanged',
] as const;
export type EventName = (typeof eventNames)[number];

/** Everything about a case, for its clients. */
export const caseChannel = (caseId: string) => `private-case.${caseId}`;
/** What concerns a client alone: which cases are theirs, which one they look at. Only `CaseUpdated`. */
export const clientChannel = (clientId: string) => `private-client.${clientId}`;
/** Which of the joint clients are here at this moment. */
export const presenceChannel = (caseId: string) => `presence-case.${caseId}`;
/** For everybody: `MaintenanceChanged`. */
export const statusChannel = 'status';
