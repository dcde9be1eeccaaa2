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

const check = (request: { method: string; path: string; body: Uint8Array }, query: string, now = time) =>
  verifyHttpRequest(app, { ...request, query }, now, 600);

describe('signed requests that are known', () => {
  test('protocol 36: a GET with parameters', () => {
    expect(check(channels, channelsQuery)).toMatchObject({ parameters: expect.any(Map) });
    const parameters = { info: 'user_count', filter_by_prefix: 'presence-' };
    expect(new Set(signHttpRequest(app, { ...channels, parameters }, time).split('&'))).toEqual(
      new Set(channelsQuery.split('&')),
    );
  });

  test('protocol 37: a POST with a body beyond ASCII', () => {
    expect(check(events, eventsQuery)).toMatchObject({ parameters: expect.any(Map) });
    expect(signHttpRequest(app, events, time).split('&').sort()).toEqual(eventsQuery.split('&').sort());
  });

  test('protocol 36: values are signed as they are, however the address encodes them, in any order', () => {
    const parameters = { filter_by_prefix: 'a b=,&+%é' };
    const query = signHttpRequest(app, { ...channels, parameters }, time);
    expect(check(channels, query)).toMatchObject({ parameters: expect.any(Map) });
    const reordered = query.split('&').reverse().join('&').replaceAll('%2C', ',').replaceAll('+', '%20');
    expect(reordered).not.toBe(query);
    const checked = check(channels, reordered);
    expect('parameters' in checked && checked.parameters.get('filter_by_prefix')).toBe('a b=,&+%é');
  });
});

describe('protocol 36: a request is refused', () => {
  test.each([
    ['without anything', ''],
    ['without a signature', channelsQuery.replace(/&auth_signature=.*/, '')],
    ['with another key', channelsQuery.replace('auth_key=key', 'auth_key=kez')],
    ['with another version', channelsQuery.replace('1.0', '1.1')],
    ['with another time', channelsQuery.replace('1700000000', '1700000001')],
    ['with a time that is none', channelsQuery.replace('1700000000', '1.7e9')],
    ['with another parameter', channelsQuery.replace('presence-', 'private-')],
    ['with one parameter more', `${channelsQuery}&x=1`],
    ['with one parameter less', channelsQuery.replace('&info=user_count', '')],
    ['with a parameter twice', `${channelsQuery}&info=user_count`],
    ['with the signature in upper case', channelsQuery.replace('affcbfb', 'AFFCBFB')],
    ['with a signature cut short', channelsQuery.slice(0, -1)],
    ['with two signatures', `${channelsQuery}&auth_signature=x`],
    ['with a space behind', `${channelsQuery}%20`],
  ])('%s', (_, query) => {
    expect(check(channels, query)).toEqual({ fault: expect.any(String) });
  });

  test('with another method, path, app or secret', () => {
    expect(check({ ...channels, method: 'POST' }, channelsQuery)).toHaveProperty('fault');
    expect(check({ ...channels, path: '/apps/43/channels' }, channelsQuery)).toHaveProperty('fault');
    const other = { ...app, secret: 'other' };
    expect(verifyHttpRequest(other, { ...channels, query: channelsQuery }, time, 600)).toHaveProperty(
      'fault',
    );
  });

  test('when a byte of the body is another, or one is added, or the body is taken away', () => {
    const flipped = eventBody.slice();
    flipped[10] = (flipped[10] ?? 0) ^ 1;
    for (const body of [flipped, bytes(`${new TextDecoder().decode(eventBody)}\n`), bytes('')]) {
      expect(check({ ...events, body }, eventsQuery)).toEqual({ fault: expect.stringContaining('body_md5') });
    }
  });

  test('when a body is there and nobody has signed it', () => {
    const query = signHttpRequest(app, { method: 'POST', path: events.path }, time);
    expect(check({ ...events, body: bytes('') }, query)).toHaveProperty('parameters');
    expect(check(events, query)).toEqual({ fault: expect.stringContaining('body_md5') });
  });

  test.each([
    [-601_000, false],
    [-600_000, true],
    [600_000, true],
    [601_000, false],
  ])('when its time is %i ms from ours: taken is %s', (distance, taken) => {
    expect('parameters' in check(channels, channelsQuery, time + distance)).toBe(taken);
  });
});
