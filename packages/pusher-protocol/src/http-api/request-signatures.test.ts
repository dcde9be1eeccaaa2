import { describe, expect, test } from 'vitest';
import { testApp as app } from '../testing/fake-sockets.ts';
import { signHttpRequest, verifyHttpRequest } from './request-signatures.ts';

const time = 1_700_000_000_000;
const bytes = (text: string) => new TextEncoder().encode(text);
const eventBody = bytes(
  '{"name":"payment.updated","data":"{\\"a\\":\\"£é\\"}","channels":["private-case.1"]}',
);
const channels = { method: 'GET', path: '/apps/42/channels', body: bytes('') };
const channelsQuery =
  'auth_key=key&auth_timestamp=1700000000&auth_version=1.0&filter_by_prefix=presence-&info=user_count' +
  '&auth_signature=affcbfb79f463560c34ab6094dc37adfda4f77b13102a827a9e5d0b67fe44a26';
const events = { method: 'POST', path: '/apps/42/events', body: eventBody };
const eventsQuery =
  'auth_key=key&auth_timestamp=1700000000&auth_version=1.0&body_md5=4c6474d6df8c64f263909fd46b4ddd2c' +
  '&auth_signature=a43e31f5ef0c3110540eae3d00898ab85fd0d3e60efd8ed0ad0aa73bd23d5217';

const verify = (request: { method: string; path: string; body: Uint8Array }, query: string, now = time) =>
  verifyHttpRequest(app, { ...request, query }, now, 600);

describe('known signatures', () => {
  test('protocol 36: signs and verifies a GET request with parameters', () => {
    expect(verify(channels, channelsQuery)).toMatchObject({ parameters: expect.any(Map) });
    const parameters = { info: 'user_count', filter_by_prefix: 'presence-' };
    expect(new Set(signHttpRequest(app, { ...channels, parameters }, time).split('&'))).toEqual(
      new Set(channelsQuery.split('&')),
    );
  });

  test('protocol 37: signs and verifies a POST request with a non-ASCII body', () => {
    expect(verify(events, eventsQuery)).toMatchObject({ parameters: expect.any(Map) });
    expect(signHttpRequest(app, events, time).split('&').sort()).toEqual(eventsQuery.split('&').sort());
  });

  test('protocol 36: verifies decoded parameters in any order and encoding', () => {
    const parameters = { filter_by_prefix: 'a b=,&+%é' };
    const query = signHttpRequest(app, { ...channels, parameters }, time);
    expect(verify(channels, query)).toMatchObject({ parameters: expect.any(Map) });
    const reordered = query.split('&').reverse().join('&').replaceAll('%2C', ',').replaceAll('+', '%20');
    expect(reordered).not.toBe(query);
    const verified = verify(channels, reordered);
    expect('parameters' in verified && verified.parameters.get('filter_by_prefix')).toBe('a b=,&+%é');
  });
});

describe('protocol 36: request verification', () => {
  test.each([
    ['without parameters', ''],
    ['without a signature', channelsQuery.replace(/&auth_signature=.*/, '')],
    ['with another key', channelsQuery.replace('auth_key=key', 'auth_key=kez')],
    ['with another version', channelsQuery.replace('1.0', '1.1')],
    ['with another timestamp', channelsQuery.replace('1700000000', '1700000001')],
    ['with an invalid timestamp', channelsQuery.replace('1700000000', '1.7e9')],
    ['with another parameter', channelsQuery.replace('presence-', 'private-')],
    ['with an added parameter', `${channelsQuery}&x=1`],
    ['with a removed parameter', channelsQuery.replace('&info=user_count', '')],
    ['with a duplicate parameter', `${channelsQuery}&info=user_count`],
    ['with an upper-case signature', channelsQuery.replace('affcbfb', 'AFFCBFB')],
    ['with a truncated signature', channelsQuery.slice(0, -1)],
    ['with two signatures', `${channelsQuery}&auth_signature=x`],
    ['with a trailing space', `${channelsQuery}%20`],
  ])('rejects a request %s', (_, query) => {
    expect(verify(channels, query)).toEqual({ error: expect.any(String) });
  });

  test('rejects a request signed for another method, path or secret', () => {
    expect(verify({ ...channels, method: 'POST' }, channelsQuery)).toHaveProperty('error');
    expect(verify({ ...channels, path: '/apps/43/channels' }, channelsQuery)).toHaveProperty('error');
    const other = { ...app, secret: 'other' };
    expect(verifyHttpRequest(other, { ...channels, query: channelsQuery }, time, 600)).toHaveProperty(
      'error',
    );
  });

  test('rejects a request whose body was changed, extended or removed', () => {
    const flipped = eventBody.slice();
    flipped[10] = (flipped[10] ?? 0) ^ 1;
    for (const body of [flipped, bytes(`${new TextDecoder().decode(eventBody)}\n`), bytes('')]) {
      expect(verify({ ...events, body }, eventsQuery)).toEqual({
        error: expect.stringContaining('body_md5'),
      });
    }
  });

  test('rejects a request whose body was not signed', () => {
    const query = signHttpRequest(app, { method: 'POST', path: events.path }, time);
    expect(verify({ ...events, body: bytes('') }, query)).toHaveProperty('parameters');
    expect(verify(events, query)).toEqual({ error: expect.stringContaining('body_md5') });
  });

  test.each([
    [-601_000, false],
    [-600_000, true],
    [600_000, true],
    [601_000, false],
  ])(
    'fault 47: compares the timestamp with the server time: %i ms apart is accepted: %s',
    (difference, accepted) => {
      expect('parameters' in verify(channels, channelsQuery, time + difference)).toBe(accepted);
    },
  );
});
