/** The kinds of callers of the APIs, in the order of the columns. */
export const callers = [
  /** Owns the case and started its payment. */
  'client',
  /** Owns the same case. */
  'joint client',
  /** Owns another case. */
  'other client',
  'handler',
  'finance',
  'admin',
  /** May read every kind of record over the feed, and what clients did. */
  'read feed key',
  /** May write every kind of record over the feed. */
  'write feed key',
  'anyone',
] as const;
export type Caller = (typeof callers)[number];

/** The status of the answer to each caller, in the order of `callers`. */
type Statuses = readonly number[];

/** A route that needs no credential, and answers every caller alike. */
const open = (status: number): Statuses => callers.map(() => status);
const forClients = (client: number, joint: number, other: number): Statuses => [
  ...[client, joint, other],
  ...[401, 401, 401],
  ...[401, 401],
  401,
];
const forStaff = (handler: number, finance: number, admin: number): Statuses => [
  ...[401, 401, 401],
  ...[handler, finance, admin],
  ...[401, 401],
  401,
];
const forKeys = (read: number, write: number): Statuses => [
  ...[401, 401, 401],
  ...[401, 401, 401],
  ...[read, write],
  401,
];

/**
 * Which caller may use which route. 401 and 403 are refusals, and so is 404 for a record of another client; 409 and 422
 * mean that the caller is admitted, and that the test sent nothing that could be done. Not in the table: the WebSocket, which anyone may open, and
 * whose channels `POST /broadcasting/auth` authorises.
 */
export const accessMatrix: Record<string, Statuses> = {
  'POST /api/login': open(422),
  'POST /api/logout': forClients(204, 204, 204),
  'POST /api/password/forgot': open(422),
  'POST /api/password/check-link': open(422),
  'POST /api/password/reset': open(422),
  'GET /api/maintenance': open(200),
  'GET /api/client': forClients(200, 200, 200),
  'PUT /api/client/active-case': forClients(200, 200, 404),
  'GET /api/case-history': forClients(200, 200, 200),
  'GET /api/milestones': forClients(200, 200, 200),
  'GET /api/case-searches': forClients(200, 200, 200),
  'GET /api/case-searches/:id': forClients(200, 200, 404),
  'GET /api/bills': forClients(200, 200, 200),
  'GET /api/payments': forClients(200, 200, 200),
  'GET /api/payments/:id': forClients(200, 200, 404),
  'GET /api/payments/:id/receipt': forClients(404, 404, 404),
  'GET /api/payments/:id/intent': forClients(200, 200, 404),
  'POST /api/payments/:id/refresh': forClients(200, 200, 404),
  'POST /api/payments/:id/confirm': forClients(200, 409, 404),
  'POST /api/payments/:id/cancel': forClients(200, 409, 404),
  'POST /api/case-searches/:id/payments': forClients(200, 409, 404),
  'POST /api/other-payments': forClients(422, 422, 422),
  'GET /api/payment-links/:id': forClients(404, 404, 404),
  'GET /api/documents': forClients(200, 200, 200),
  'GET /api/documents/:id': forClients(200, 200, 404),
  'GET /api/documents/:id/content': forClients(200, 200, 404),
  'POST /api/documents/:id/read': forClients(200, 200, 404),
  'POST /api/documents/:id/signature': forClients(409, 409, 404),
  'GET /api/openapi.json': open(200),
  'POST /api/webhooks/:provider': open(404),
  'GET /api/sandbox/bank/:token': open(404),
  'POST /api/sandbox/bank/:token/:outcome': open(404),
  'GET /api/sandbox/payment-intents/:id': open(404),
  'POST /api/sandbox/payment-intents/:id/confirm': open(422),
  'POST /api/sandbox/payment-intents/:id/bank': open(422),
  'POST /api/sandbox/payment-intents/:id/authenticate': open(422),
  'POST /api/staff/invitation/check': open(422),
  'POST /api/staff/invitation/accept': open(422),
  'POST /api/staff/login': open(422),
  'POST /api/staff/passkey/options': open(200),
  'POST /api/staff/passkey/login': open(422),
  'GET /api/staff/session': forStaff(200, 200, 200),
  'POST /api/staff/logout': forStaff(204, 204, 204),
  'POST /api/staff/session/confirm': forStaff(422, 422, 422),
  'POST /api/staff/session/confirm/options': forStaff(200, 200, 200),
  'POST /api/staff/session/confirm/passkey': forStaff(422, 422, 422),
  'GET /api/staff/sessions': forStaff(200, 200, 200),
  'DELETE /api/staff/sessions': forStaff(204, 204, 204),
  'DELETE /api/staff/sessions/:id': forStaff(404, 404, 404),
  'PUT /api/staff/password': forStaff(422, 422, 422),
  'GET /api/staff/factors': forStaff(200, 200, 200),
  'PUT /api/staff/factors/:id': forStaff(422, 422, 422),
  'DELETE /api/staff/factors/:id': forStaff(404, 404, 404),
  'POST /api/staff/authenticators': forStaff(200, 200, 200),
  'POST /api/staff/authenticators/:id/activate': forStaff(422, 422, 422),
  'POST /api/staff/passkeys': forStaff(422, 422, 422),
  'POST /api/staff/passkeys/options': forStaff(200, 200, 200),
  'POST /api/staff/recovery-codes': forStaff(200, 200, 200),
  'GET /api/staff/members': forStaff(403, 403, 200),
  'POST /api/staff/members': forStaff(403, 403, 422),
  'POST /api/staff/members/:id/invitation': forStaff(403, 403, 404),
  'PUT /api/staff/members/:id/role': forStaff(403, 403, 422),
  'POST /api/staff/members/:id/reset-factors': forStaff(403, 403, 404),
  'POST /api/staff/members/:id/disable': forStaff(403, 403, 404),
  'POST /api/staff/members/:id/enable': forStaff(403, 403, 404),
  'GET /api/staff/members/:id/sessions': forStaff(403, 403, 404),
  'DELETE /api/staff/members/:id/sessions': forStaff(403, 403, 404),
  'GET /api/staff/cases/:id/as/:client_id/client': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/milestones': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/case-searches': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/documents': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/case-history': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/bills': forStaff(404, 404, 404),
  'GET /api/staff/cases/:id/as/:client_id/payments': forStaff(404, 404, 404),
  'GET /api/feed/changes': forKeys(200, 403),
  'POST /api/feed/batches': forKeys(403, 409),
  'GET /api/feed/batches/:id': forKeys(404, 404),
  'PUT /api/feed/documents/:reference/file': forKeys(403, 415),
  'GET /api/feed/:kind/:reference': forKeys(404, 403),
  'PUT /api/feed/:kind/:reference': forKeys(403, 422),
  'DELETE /api/feed/:kind/:reference': forKeys(403, 404),
  'GET /api/feed/openapi.json': open(200),
  'POST /broadcasting/auth': forClients(400, 400, 400),
  'POST /broadcasting/user-auth': forClients(400, 400, 400),
  'GET /broadcasting/csrf-cookie': open(401),
  'GET /docs/api': open(200),
  'GET /docs/api.css': open(200),
  'GET /healthz': open(200),
  'GET /readyz': open(200),
  'GET /': open(200),
  'POST /login': open(303),
};
