import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinStatement, statementPrefix, statementSuffix } from './statement-descriptor.ts';

describe('statement descriptors', () => {
  test.each([
    ['Alder & Finch Conveyancing', 'ALDER'],
    ['The Smith Partnership', 'THE SMITH'],
    ['A & B Law', 'A & B LAW'],
    ['Cholmondeley LLP', 'CHOLMONDEL'],
    ['D’Arcy & Sons', 'DARCY'],
    ['O\'Neill "The Best" <Law>*', 'ONEILL THE'],
    ['Tŷ Gwyn', 'TY GWYN'],
    ['Łukasz Øster', 'LUKASZ'],
    ['Groß & Weiß', 'GROSS'],
    ['123 Law', '123 LAW'],
    ['  -- Law --  ', 'LAW'],
  ])('shortens the firm’s name %j to %j', (name, prefix) => {
    expect(statementPrefix(name)).toBe(prefix);
  });

  test.each(['', '   ', '"*<>', '法律事務所', '12345', 'X'])(
    'returns no prefix for the firm’s name %j',
    (name) => {
      expect(statementPrefix(name)).toBeNull();
    },
  );

  test.each([
    ['KT-2026-00421', 'ALDER', 'KT-2026-00421'],
    ['kt–2026–00421', 'ALDER', 'KT-2026-00421'],
    ['KT-2026-00421', 'CHOLMONDEL', 'REF 00421'],
    ['KT-2026-00421', null, 'REF 00421'],
    ["Hall's case \\ 2026*7", 'ALDER', 'ALLS CASE 20267'],
    ['2026/421', 'ALDER', 'REF 2026/421'],
    ['案件', 'ALDER', null],
  ])('writes the case reference %j after the prefix %j as %j', (reference, prefix, suffix) => {
    expect(statementSuffix(reference, prefix)).toBe(suffix);
  });

  test('fits every name and reference into 22 allowed characters, with a letter in each part', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (name, reference) => {
        const prefix = statementPrefix(name);
        const suffix = statementSuffix(reference, prefix);
        if (prefix === null || suffix === null) return;
        const line = joinStatement(prefix, suffix);
        expect(line.length).toBeLessThanOrEqual(22);
        expect(`${prefix}${suffix}`).toMatch(/^[A-Z0-9 &.,/-]+$/);
        expect(prefix).toMatch(/[A-Z]/);
        expect(suffix).toMatch(/[A-Z]/);
      }),
    );
  });
});
