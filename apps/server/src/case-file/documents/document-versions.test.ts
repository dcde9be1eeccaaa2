import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versionsOf } from './document-versions.ts';

const document = (id: string, supersedesId: string | null = null) => ({ id, supersedesId });

describe('versionsOf', () => {
  test('numbers the versions of a document from the first and links each to its neighbours', () => {
    const versionOf = versionsOf([document('c', 'b'), document('b', 'a'), document('a'), document('x')]);
    expect(versionOf('a')).toEqual({ supersedes: null, supersededBy: 'b', version: 1 });
    expect(versionOf('b')).toEqual({ supersedes: 'a', supersededBy: 'c', version: 2 });
    expect(versionOf('c')).toEqual({ supersedes: 'b', supersededBy: null, version: 3 });
    expect(versionOf('x')).toEqual({ supersedes: null, supersededBy: null, version: 1 });
  });

  test('the versions of a document ignore links to documents of another case', () => {
    expect(versionsOf([document('a', 'of another case')])('a')).toEqual({
      supersedes: null,
      supersededBy: null,
      version: 1,
    });
  });

  test('links a document superseded by two to the first given, the newest', () => {
    const versionOf = versionsOf([document('newest', 'a'), document('newer', 'a'), document('a')]);
    expect(versionOf('a').supersededBy).toBe('newest');
    expect([versionOf('newest').version, versionOf('newer').version]).toEqual([2, 2]);
  });

  test('numbering versions terminates for any links, even cycles, and marks every document with a successor as superseded', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const links = fc.array(fc.option(fc.constantFrom(...ids, 'elsewhere')), {
      minLength: ids.length,
      maxLength: ids.length,
    });
    fc.assert(
      fc.property(links, (to) => {
        const documents = ids.map((id, index) => document(id, to[index] ?? null));
        const versionOf = versionsOf(documents);
        for (const id of ids) {
          const { version, supersededBy } = versionOf(id);
          expect(version).toBeGreaterThanOrEqual(1);
          expect(version).toBeLessThanOrEqual(ids.length);
          expect(supersededBy !== null).toBe(documents.some(({ supersedesId }) => supersedesId === id));
        }
      }),
    );
  });
});
