import type { AnswerOf, BodyOf, DataOf, ParamsOf, QueryOf } from '../calls/call-definition.ts';
import { caseCalls } from './case-calls.ts';
import { channelCalls } from './channel-calls.ts';
import { clientDataCalls } from './client-data-calls.ts';
import { firmDataCalls } from './firm-data-calls.ts';
import { feedKeyCalls } from './integrations/feed-key-calls.ts';
import { webhookCalls } from './integrations/webhook-calls.ts';
import { caseListCalls } from './lists/case-list-calls.ts';
import { todayCalls } from './lists/today-calls.ts';
import { memberCalls } from './member-calls.ts';
import { pathCalls } from './path-calls.ts';
import { previewCalls } from './preview-calls.ts';
import { spreadsheetCalls } from './spreadsheet-calls.ts';
import type { StaffCallDefinition } from './staff-call-definition.ts';

export * from './bank-details.ts';
export * from './case-at-desk.ts';
export { type CaseCallKey, maxUploadBytes } from './case-calls.ts';
export type {
  BillEdit,
  CancellationEdit,
  DatesEdit,
  DocumentEdit,
  ExchangeMark,
  ExchangeUndo,
  FeaturesEdit,
  MilestoneEdit,
  QuietEdit,
  SearchEdit,
  StatusEdit,
  TaskEdit,
} from './case-edits.ts';
export { deskChannel, deskEvent } from './channel-vocabulary.ts';
export {
  ClientData,
  type ClientDataCallKey,
  ErasurePlan,
  ErasureRecord,
  type KeptCase,
  LegalHold,
  type ListedClient,
  maxReasonLength,
  type RetentionKind,
  retentionKinds,
} from './client-data-calls.ts';
export * from './firm-data-entities.ts';
export * from './firm-data-vocabulary.ts';
export * from './integrations/integration-entities.ts';
export * from './integrations/integration-vocabulary.ts';
export * from './ledger/export-profiles.ts';
export * from './ledger/export-vocabulary.ts';
export * from './lists/case-list-calls.ts';
export * from './lists/case-list-vocabulary.ts';
export type { PathCallKey, PathPreview } from './path-calls.ts';
export type { PreviewedCall } from './preview-calls.ts';

import { auditCalls } from './audit-calls.ts';
import { staffPaymentCalls } from './payment-calls.ts';

export type { AuditEntry, TrailEntry } from './audit-calls.ts';
export * from './lists/today-calls.ts';
export * from './lists/today-vocabulary.ts';
export * from './payment-entities.ts';
export {
  Spreadsheet,
  SpreadsheetProblem,
  SpreadsheetReport,
} from './spreadsheet-calls.ts';
export * from './spreadsheet-fields.ts';
export type { StaffCallDefinition } from './staff-call-definition.ts';
export * from './staff-entities.ts';
export * from './staff-errors.ts';

/** Every call of the staff API. */
export const staffCalls = {
  ...memberCalls,
  ...channelCalls,
  ...previewCalls,
  ...feedKeyCalls,
  ...webhookCalls,
  ...todayCalls,
  ...caseListCalls,
  ...staffPaymentCalls,
  ...auditCalls,
  ...caseCalls,
  ...clientDataCalls,
  ...firmDataCalls,
  ...pathCalls,
  ...spreadsheetCalls,
} as const satisfies Record<string, StaffCallDefinition>;

export type StaffCalls = typeof staffCalls;
export type StaffCallKey = keyof StaffCalls;
/** The calls about sign-in, the caller and staff members. */
export type MemberCallKey = keyof typeof memberCalls;
/** The calls about payments, their refunds, disputes and the ledger. */
export type MoneyCallKey = keyof typeof staffPaymentCalls;
/** The calls about the audit log. */
export type AuditCallKey = keyof typeof auditCalls;
/** The calls about what the firm edits at the desk. */
export type FirmDataCallKey = keyof typeof firmDataCalls;

export type StaffCallParams<K extends StaffCallKey> = ParamsOf<StaffCalls[K]>;
export type StaffCallQuery<K extends StaffCallKey> = QueryOf<StaffCalls[K]>;
export type StaffCallBody<K extends StaffCallKey> = BodyOf<StaffCalls[K]>;
export type StaffCallAnswer<K extends StaffCallKey> = AnswerOf<StaffCalls[K]>;
export type StaffCallData<K extends StaffCallKey> = DataOf<StaffCalls[K]>;
