import { expect, test } from 'vitest';
import { parseTarget } from './parse-target.ts';

const production = { allowsPrivate: false, allowsHttp: false };
const development = { allowsPrivate: true, allowsHttp: true };

test.each([
  ['http://example.com/hook', 'must start with https'],
  ['ftp://example.com/hook', 'must be an address'],
  ['example.com/hook', 'must be an address'],
  ['https://', 'must be an address'],
  ['https://user@example.com/', 'user name or password'],
  ['https://:secret@example.com/', 'user name or password'],
  ['https://example.com/#part', 'fragment'],
  [`https://example.com/${'a'.repeat(2_000)}`, 'at most 2000 characters'],
  ['https://127.0.0.1/', 'private address 127.0.0.1'],
  ['https://2130706433/', 'private address 127.0.0.1'],
  ['https://0x7f.1/', 'private address 127.0.0.1'],
  ['https://017700000001/', 'private address 127.0.0.1'],
  ['https://169.254.169.254/latest/meta-data', 'private address 169.254.169.254'],
  ['https://[::1]:8443/', 'private address ::1'],
  ['https://[::ffff:10.0.0.1]/', 'private address ::ffff:a00:1'],
])('production rejects the endpoint %s: it %s', (url, problem) => {
  expect(parseTarget(url, production)).toEqual({ problem: expect.stringContaining(problem) });
});

test('accepts names and public addresses over https, in their normal form', () => {
  expect(parseTarget('https://EXAMPLE.com:443/hook?key=1', production)).toEqual({
    url: 'https://example.com/hook?key=1',
  });
  expect(parseTarget('https://8.8.8.8/', production)).toEqual({ url: 'https://8.8.8.8/' });
});

test('a development server accepts http and private addresses, but no credentials', () => {
  expect(parseTarget('http://127.0.0.1:3000/hook', development)).toEqual({
    url: 'http://127.0.0.1:3000/hook',
  });
  expect(parseTarget('http://user:secret@127.0.0.1/', development)).toHaveProperty('problem');
});
