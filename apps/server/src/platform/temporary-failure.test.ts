import { expect, test } from 'vitest';
import { isDatabaseDamaged, isTemporaryFailure } from './temporary-failure.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });
/** As Drizzle throws it. */
const wrapped = (cause: Error) => new Error('Failed query: select 1', { cause });

test.each([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  ...[
    '08006',
    '08P01',
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P03',
    '58030',
    '40001',
    '40P01',
    '55P03',
    '57014',
  ],
])('fault 32: an error of the database with the code %s is a temporary failure', (code) => {
  expect(isTemporaryFailure(withCode(code))).toBe(true);
  expect(isTemporaryFailure(wrapped(withCode(code)))).toBe(true);
});

test.each(['EMFILE', 'ENFILE', 'ENOSPC'])('fault 73: %s is a temporary failure', (code) => {
  expect(isTemporaryFailure(withCode(code))).toBe(true);
});

test.each(['ENOENT', 'EAGAIN'])(
  'fault 32: %s is a temporary failure of a connection to the database’s socket, and of nothing else',
  (code) => {
    expect(isTemporaryFailure(wrapped(Object.assign(withCode(code), { syscall: 'connect' })))).toBe(true);
    expect(isTemporaryFailure(wrapped(Object.assign(withCode(code), { syscall: 'open' })))).toBe(false);
  },
);

test.each([
  'Query read timeout',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
])('fault 33: “%s” of the database’s driver is a temporary failure', (message) => {
  expect(isTemporaryFailure(wrapped(new Error(message)))).toBe(true);
});

test.each(['XX001', 'XX002', 'XX000', '58P01', '23505', '42601', '22P02', 'ENOENT', 'EACCES', ''])(
  'fault 32: an error with the code “%s” is not a temporary failure',
  (code) => {
    expect(isTemporaryFailure(wrapped(withCode(code)))).toBe(false);
  },
);

test('fault 36: damaged pages, indexes and files of the database are recognised', () => {
  const damaged = ['XX001', 'XX002', '58030', '58P01', 'XX000', '53100', '23505'].filter((code) =>
    isDatabaseDamaged(wrapped(withCode(code))),
  );
  expect(damaged).toEqual(['XX001', 'XX002', '58030', '58P01']);
});
