import { Type } from 'typebox';
import { type Calls, calls } from '../calls/calls.ts';
import { Id } from '../entities/values.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';
import { staffRoles } from './staff-entities.ts';

/** The client calls with answers that staff can see in the preview of a case. None of them changes anything. */
export type PreviewedCall =
  | 'GET /client'
  | 'GET /milestones'
  | 'GET /case-searches'
  | 'GET /documents'
  | 'GET /case-history'
  | 'GET /bills'
  | 'GET /payments';

const PreviewParams = Type.Object({
  /** The case. */
  id: Id,
  /** One of its clients. */
  client_id: Id,
});

/** Defines the staff call that returns the same answer as the client’s call for this case. */
const previewOf = <K extends PreviewedCall>(key: K) => ({
  summary: `${calls[key].summary}, as one of the clients of a case sees it`,
  ...deskDefaults,
  access: staffRoles,
  params: PreviewParams,
  data: calls[key].data as Calls[K]['data'],
  errors: ['unauthenticated', 'factor_required', 'not_found', 'invalid_input'] as const,
});

/** The calls of the preview of a case as its clients see it. */
export const previewCalls = {
  'GET /staff/cases/{id}/as/{client_id}/client': previewOf('GET /client'),
  'GET /staff/cases/{id}/as/{client_id}/milestones': previewOf('GET /milestones'),
  'GET /staff/cases/{id}/as/{client_id}/case-searches': previewOf('GET /case-searches'),
  'GET /staff/cases/{id}/as/{client_id}/documents': {
    ...previewOf('GET /documents'),
    meta: calls['GET /documents'].meta,
  },
  'GET /staff/cases/{id}/as/{client_id}/case-history': {
    ...previewOf('GET /case-history'),
    query: calls['GET /case-history'].query,
    meta: calls['GET /case-history'].meta,
  },
  'GET /staff/cases/{id}/as/{client_id}/bills': previewOf('GET /bills'),
  'GET /staff/cases/{id}/as/{client_id}/payments': previewOf('GET /payments'),
} as const satisfies Record<string, StaffCallDefinition>;
