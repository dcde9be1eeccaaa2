import { expect, test } from 'vitest';
import { testApp as app } from '../testing/fake-sockets.ts';
import { clientReactionTo } from './close-codes.ts';
import { findConnectError, isAllowedOrigin } from './connect-url.ts';

test('accepts the URL that pusher-js connects to', () => {
  const url = '/app/key?protocol=7&client=js&version=8.6.0&flash=false';
  expect(findConnectError(app, url)).toBeUndefined();
});

test.each([
  ['/app/other?protocol=7', 4001],
  ['/app/KEY?protocol=7', 4001],
  ['/app/__proto__?protocol=7', 4001],
])(
  'protocol 2: rejects the unknown app of %s with a code after which pusher-js does not reconnect',
  (url, code) => {
    expect(findConnectError(app, url)?.code).toBe(code);
    expect(clientReactionTo(code)).toBe('does not reconnect');
  },
);

test.each([
  ['/app/key', 4008],
  ['/app/key?client=js', 4008],
  ['/app/key?protocol=', 4008],
  ['/app/key?protocol=3', 4007],
  ['/app/key?protocol=6', 4007],
  ['/app/key?protocol=8', 4007],
  ['/app/key?protocol=seven', 4006],
  ['/app/key?protocol=-7', 4006],
  ['/app/key?protocol=7.0', 4006],
  ['/app/key?protocol=%00', 4006],
  ['/app/', 4005],
  ['/app/key/more?protocol=7', 4005],
  ['/', 4005],
  ['', 4005],
])('protocol 3: rejects %s with %i, after which pusher-js does not reconnect', (url, code) => {
  expect(findConnectError(app, url)?.code).toBe(code);
  expect(clientReactionTo(code)).toBe('does not reconnect');
});

test.each([
  ['https://firm.example', true],
  ['https://firm.example:8443', false],
  ['http://firm.example', false],
  ['https://firm.example.evil.test', false],
  ['https://evil.test/https://firm.example', false],
  ['https://FIRM.example', false],
  ['null', false],
  ['', false],
])('protocol 8: a page from origin %j may connect: %s', (origin, allowed) => {
  expect(isAllowedOrigin(origin, ['https://firm.example'], true)).toBe(allowed);
});

test('protocol 8: accepts clients without an Origin header only if configured', () => {
  expect(isAllowedOrigin(undefined, [], true)).toBe(true);
  expect(isAllowedOrigin(undefined, [], false)).toBe(false);
});
