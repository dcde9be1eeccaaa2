import {
  type CallDefinition,
  CaseFeed,
  calls,
  feedRecords,
  SandboxAuthenticateBody,
  SandboxBankBody,
  SandboxConfirmBody,
} from '@keyturn/contract';
import { type StaffCallDefinition, staffCalls } from '@keyturn/contract/staff';
import { accessMatrix } from '../access-matrix.ts';

/** A route with the schemas of its input, and the errors that it may answer with. */
export interface DescribedRoute {
  method: string;
  /** With parameters such as `:id`. */
  path: string;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  /** Sent as bytes. */
  isUpload: boolean;
  /** The error codes that the contract lists; undefined for routes that are not in it. */
  errors: readonly string[] | undefined;
}

const text = { type: 'string' };
const form = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
});

/** Schemas of bodies that are not in the contract. */
const otherBodies: Record<string, unknown> = {
  'POST /api/sandbox/payment-intents/:id/confirm': SandboxConfirmBody,
  'POST /api/sandbox/payment-intents/:id/bank': SandboxBankBody,
  'POST /api/sandbox/payment-intents/:id/authenticate': SandboxAuthenticateBody,
  'POST /api/feed/batches': CaseFeed,
  'PUT /api/feed/:kind/:reference': { anyOf: Object.values(feedRecords) },
  'POST /broadcasting/auth': form('socket_id', 'channel_name'),
  'POST /broadcasting/user-auth': form('socket_id'),
  'POST /policy-reports': {
    type: 'object',
    properties: { 'csp-report': form('effective-directive', 'blocked-uri', 'document-uri', 'source-file') },
    required: ['csp-report'],
  },
  'POST /api/webhooks/:provider': form('id', 'type', 'intent'),
  'POST /login': form('email', 'password'),
};

const otherQueries: Record<string, unknown> = {
  'GET /api/feed/changes': form('after', 'limit', 'types'),
};

/** Routes that are not in the access matrix. */
const otherPaths = [
  ...[
    'GET /:any',
    'POST /:any',
    'GET /assets/:any',
    'GET /builds/:any',
    'GET /documents/:any',
    'GET /api/:any',
  ],
  ...['POST /api/:any/:any', 'DELETE /api/staff/:any', 'GET /.well-known/:any', 'GET /config.json'],
];

type DescribedCall = Pick<CallDefinition, 'query' | 'headers' | 'body'> &
  Pick<StaffCallDefinition, 'upload' | 'errors'>;

const described = new Map(
  Object.entries({ ...calls, ...staffCalls }).map(([key, call]) => {
    const [method, path = ''] = key.split(' ');
    return [`${method} /api${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, call as DescribedCall];
  }),
);

/** Every route of the access matrix, and the others. */
export const describedRoutes: readonly DescribedRoute[] = [...Object.keys(accessMatrix), ...otherPaths].map(
  describe,
);

function describe(route: string): DescribedRoute {
  const [method = '', path = ''] = route.split(' ');
  const call = described.get(route);
  return {
    method,
    path,
    query: call?.query ?? otherQueries[route],
    headers: call?.headers,
    body: call?.body?.schema ?? otherBodies[route],
    isUpload: call?.upload !== undefined || (method === 'PUT' && path.endsWith('/file')),
    errors: call && [
      ...call.errors,
      ...(path.startsWith('/api/staff/') && call.body ? ['possible_bank_account'] : []),
    ],
  };
}
