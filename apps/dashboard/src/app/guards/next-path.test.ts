import { describe, expect, test } from 'vitest';
import { nextPath } from './next-path.ts';

describe('where a client goes after signing in', () => {
  test.each([
    '/',
    '/payment-details',
    '/payment?tab=1#card',
    '/documents/purchase/to-sign',
    '/loginsomething',
  ])('is the path of this app that was asked for: %s', (path) => {
    expect(nextPath(path)).toBe(path);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    'evil.example',
    '',
    ' /payment',
    '/payment\\..',
    '/login',
    '/login/',
    '/login?next=/login',
    '/LOGIN',
    '/%6Cogin',
    '/x/../login',
    '/%E0%A4%A',
    undefined,
    null,
    5,
    ['/payment'],
    { toString: () => '/payment' },
  ])('is the start for anything else: %j', (path) => {
    expect(nextPath(path)).toBe('/');
  });
});
