import { describe, expect, test } from 'vitest';
import { matchPath, type Path, withQuery } from './paths.ts';

describe('the route of a path', () => {
  test.each([
    ['/', 'index', {}],
    ['/milestones', 'milestones', {}],
    ['/milestones/', 'milestones', {}],
    ['/Milestones', 'milestones', {}],
    ['/documents', 'documents', {}],
    ['/documents/abc', 'documents-id', { id: 'abc' }],
    ['/documents/sale/to-sign/', 'documents-matter_type-group', { matter_type: 'sale', group: 'to-sign' }],
    ['/documents/a%2Fb', 'documents-id', { id: 'a/b' }],
    ['/documents/%E0%A4%A', 'documents-id', { id: '%E0%A4%A' }],
  ])('the route of %s is %s', (path, name, params) => {
    expect(matchPath(path)).toMatchObject({ name, params });
  });

  test.each(['', '/milestones/x', '/documents//', '/documents/a/b/c', '/nowhere'])(
    'the path %j has no screen',
    (path) => {
      expect(matchPath(path)).toBeNull();
    },
  );
});

test('a link’s query leaves out what is undefined, and escapes the rest', () => {
  expect(withQuery('/payment-other', { bill: undefined })).toBe('/payment-other');
  expect(withQuery('/payment-other', { for: 'A & B', amount: 100 })).toBe(
    '/payment-other?for=A+%26+B&amount=100',
  );
});

test('only the paths of screens are paths', () => {
  const known: Path[] = ['/', '/documents/1', '/documents/sale/contract'];
  // @ts-expect-error no screen has this path
  const unknown: Path = '/nowhere';
  expect(known).not.toContain(unknown);
});
