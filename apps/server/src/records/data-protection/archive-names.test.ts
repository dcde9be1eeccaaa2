import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createArchiveNames } from './archive-names.ts';

const named = (...names: string[]) => {
  const nameOf = createArchiveNames();
  return names.map((name) => nameOf(['documents', name]));
};

describe('names of the files of an archive', () => {
  test('equal names are numbered before their extension', () => {
    expect(named('a.pdf', 'a.pdf', 'a (2).pdf', 'a.pdf', 'README', 'README')).toEqual([
      'documents/a.pdf',
      'documents/a (2).pdf',
      'documents/a (2) (2).pdf',
      'documents/a (3).pdf',
      'documents/README',
      'documents/README (2)',
    ]);
  });

  test.each([
    ['in case', 'Lease.PDF', 'lease.pdf'],
    ['in the case of ß', 'GROSS.pdf', 'groß.pdf'],
    ['in how an accent is written', 'Caf\u00e9.pdf', 'Cafe\u0301.pdf'],
    ['in a replaced character', 'a:b.pdf', 'a?b.pdf'],
    ['in dots and spaces at the end', 'notes', 'notes. .'],
    ['in an invisible character', 'a\u200b.pdf', 'a.pdf'],
  ])('names that differ only %s are numbered', (_, one, other) => {
    const [, second] = named(one, other);
    expect(second).toMatch(/ \(2\)(\.\w+)?$/);
  });

  test.each([
    ['../../contract.pdf', '__.._contract.pdf'],
    ['..', '_'],
    ['', '_'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['COM¹.pdf', '_COM¹.pdf'],
    ['console.pdf', 'console.pdf'],
    ['.htaccess', '_htaccess'],
    ['gpj.\u202eexe', 'gpj.exe'],
  ])('the name %j is written as %j', (sent, written) => {
    const [name = ''] = named(sent);
    expect(name).toBe(`documents/${written}`);
  });

  const family = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}';

  test('a long name keeps its extension and whole characters', () => {
    const [name = ''] = named(`${family.repeat(40)}.pdf`);
    expect(Buffer.byteLength(name)).toBeLessThan(200);
    expect(name).toBe(`documents/${family.repeat(9)}.pdf`);
  });

  test('folders are made portable too, and a reference with a slash is one folder', () => {
    const nameOf = createArchiveNames();
    expect(nameOf(['documents', '2024/117 ', 'a.pdf'])).toBe('documents/2024_117/a.pdf');
    expect(nameOf(['documents', '2024_117', 'A.pdf'])).toBe('documents/2024_117/A (2).pdf');
  });

  test('each file gets a unique name that every system can unpack, whatever names are sent', () => {
    const anyName = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', 'A', 'a (2)', 'nul', '.', 'é', 'e\u0301'),
    );
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 12 }), (names) => {
        const written = named(...names);
        expect(new Set(written.map((name) => name.normalize('NFD').toLowerCase())).size).toBe(names.length);
        for (const name of written) {
          expect(name).toMatch(/^documents\/[^/]+$/);
          expect(name).not.toMatch(/[\p{Cc}<>:"\\|?*]|[. ]$|\/\./u);
          expect(Buffer.byteLength(name)).toBeLessThan(255);
        }
      }),
    );
  });
});
