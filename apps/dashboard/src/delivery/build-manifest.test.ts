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

describe('what a build says of a path', () => {
  test.each([
    ['/main', { prerender: false, redirect: '/' }],
    ['/main/', { prerender: false, redirect: '/' }],
    ['/main/docs/sale', { prerender: false, redirect: '/documents' }],
    ['/mainly', {}],
    ['/login', { prerender: true }],
    ['/', {}],
    ['/constructor', {}],
    ['/__proto__', {}],
  ])('is for %s what is nearest to it', (path, rule) => {
    expect(routeRuleFor(manifest, path)).toEqual(rule);
  });

  test.each([
    ['no list of what was prerendered', { ...manifest, prerendered: undefined }],
    ['no rules', { ...manifest, matcher: undefined }],
    [
      'a way to another origin',
      { ...manifest, matcher: { static: { '/x': { redirect: '//e.example' } }, wildcard: {} } },
    ],
    [
      'a way that is a script',
      { ...manifest, matcher: { static: { '/x': { redirect: 'javascript:0' } }, wildcard: {} } },
    ],
  ])('counts for nothing with %s', (_what, found) => {
    expect(isManifest(manifest)).toBe(true);
    expect(isManifest(found)).toBe(false);
  });
});

describe('the build of a page', () => {
  test.each([null, '', '{', '[]', '{"id":1}'])('is not known from %s', (text) => {
    expect(parseOwnBuild(text)).toBeNull();
  });

  test('is what the page says', () => {
    expect(parseOwnBuild('{"id":"x","timestamp":5}')).toEqual({ id: 'x', timestamp: 5 });
  });
});
