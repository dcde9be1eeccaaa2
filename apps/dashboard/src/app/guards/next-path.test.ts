import { describe, expect, test } from 'vitest';
import { nextPath } from './next-path.ts';

describe('nextPath', () => {
  test.each(['/', '/payment-details', '/payment?tab=1#card', '/documents/purchase/to-sign', '/login-help'])(
    'returns to the requested path after signing in: %s',
    (path) => {
      expect(nextPath(path)).toBe(path);
    },
  );

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
    // cspell:disable-next-line
    '/%6Cogin',
    '/x/../login',
    '/%E0%A4%A',
    undefined,
    null,
    5,
    ['/payment'],
    { toString: () => '/payment' },
  ])('goes to the home page after signing in instead of %j', (path) => {
    expect(nextPath(path)).toBe('/');
  });
});
