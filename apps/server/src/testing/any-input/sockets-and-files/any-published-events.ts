import { signHttpRequest } from '@keyturn/pusher-protocol';
import fc from 'fast-check';
import { testApp } from '../../real-time/channel-test-clients.ts';
import { type Body, bodiesOf } from '../broken-json.ts';
import { oddText } from '../odd-values.ts';
import type { HttpParts } from '../raw-requests.ts';
import { valuesOf } from '../values-of-schema.ts';

/** A request to the signed API, in which the firm’s own programs publish events. */
export interface PublishedEvent {
  method: string;
  path: string;
  parameters: Record<string, string>;
  body: Body;
  isSigned: boolean;
}

const text = { type: 'string' };
const event = {
  type: 'object',
  properties: {
    name: text,
    data: text,
    channel: { enum: ['status', 'private-room', 'a b', ''] },
    channels: { type: 'array', items: { enum: ['status', 'presence-room', '#'] } },
    socket_id: text,
    info: { enum: ['user_count', 'subscription_count,user_count', ''] },
  },
  required: ['name', 'data'],
};
const bodies = bodiesOf(
  fc.oneof(
    valuesOf(event),
    valuesOf({ type: 'object', properties: { batch: { type: 'array', items: event } }, required: ['batch'] }),
  ),
);
const paths = [
  ...['events', 'batch_events', 'channels', 'channels/status', 'channels/presence-room/users', 'connections'],
  ...[
    'users/7/terminate_connections',
    'users/%ff/terminate_connections',
    'channels/%00',
    'channels/..',
    '',
    '/',
    'x',
  ],
];
const names = fc.constantFrom('filter_by_prefix', 'info', 'auth_version', '__proto__', 'a');

export const anyPublishedEvents: fc.Arbitrary<PublishedEvent> = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'DELETE'),
  path: fc.constantFrom('events', 'batch_events', ...paths).map((path) => `/apps/${testApp.id}/${path}`),
  parameters: fc.dictionary(
    names,
    oddText.map((value) => value.toWellFormed()),
    { maxKeys: 2 },
  ),
  body: bodies,
  isSigned: fc.constantFrom(true, true, true, true, false),
});

/** Signs a request, whether valid or not. */
export function toSignedParts({ method, path, parameters, body, isSigned }: PublishedEvent): HttpParts {
  const content = method === 'GET' ? Buffer.alloc(0) : Buffer.from(body.content as string);
  const query = signHttpRequest(testApp, { method, path, parameters, body: content }, Date.now());
  return {
    method,
    url: `${path}?${isSigned ? query : query.replace(/_md5=./, '_md5=')}`,
    headers: [],
    content,
  };
}
