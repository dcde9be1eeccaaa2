/*
 * The names of real-time channels and events. Separate from the schemas in channel-schemas.ts, which the browser does
 * not load.
 */

/** The namespace of all events, with dots for backslashes as laravel-echo expects: `App\Events\PaymentUpdated`. */
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

/** The channel of a case, for its clients. */
export const caseChannel = (caseId: string) => `private-case.${caseId}`;
/** The channel of one client: their list of cases and the active one. Carries only `CaseUpdated`. */
export const clientChannel = (clientId: string) => `private-client.${clientId}`;
/** The presence channel of a case, which shows the joint clients who are online. */
export const presenceChannel = (caseId: string) => `presence-case.${caseId}`;
/** The public channel. Carries only `MaintenanceChanged`. */
export const statusChannel = 'status';
