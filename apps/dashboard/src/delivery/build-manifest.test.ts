import { describe, expect, test } from 'vitest';
import { isManifest, type Manifest, parseOwnBuild, routeRuleFor } from './build-manifest.ts';

const manifest: Manifest = {
  id: 'x',
  timestamp: 1,
  matcher: {
    static: { '/main': { redirect: '/' }, '/login': { prerender: true } },
    wildcard: { '/main': { prerender: false }, '/main/docs': { redirect: '/documents' } },
  },
  prerendered: ['/login'],
};

describe('routeRuleFor', () => {
  test.each([
    ['/main', { prerender: false, redirect: '/' }],
    ['/main/', { prerender: false, redirect: '/' }],
    ['/main/docs/sale', { prerender: false, redirect: '/documents' }],
    ['/mainly', {}],
    ['/login', { prerender: true }],
    ['/', {}],
    ['/constructor', {}],
    ['/__proto__', {}],
  ])('merges the route rules for %s with the most specific last', (path, rule) => {
    expect(routeRuleFor(manifest, path)).toEqual(rule);
  });

  test.each([
    ['no list of prerendered paths', { ...manifest, prerendered: undefined }],
    ['no route rules', { ...manifest, matcher: undefined }],
    [
      'a redirect to another origin',
      { ...manifest, matcher: { static: { '/x': { redirect: '//e.example' } }, wildcard: {} } },
    ],
    [
      'a redirect to a script',
      { ...manifest, matcher: { static: { '/x': { redirect: 'javascript:0' } }, wildcard: {} } },
    ],
  ])('rejects a build manifest with %s', (_case, found) => {
    expect(isManifest(manifest)).toBe(true);
    expect(isManifest(found)).toBe(false);
  });
});

describe('parseOwnBuild', () => {
  test.each([null, '', '{', '[]', '{"id":1}'])('returns null for the invalid build element %s', (text) => {
    expect(parseOwnBuild(text)).toBeNull();
  });

  test('returns the build that the page names', () => {
    expect(parseOwnBuild('{"id":"x","timestamp":5}')).toEqual({ id: 'x', timestamp: 5 });
  });
});
