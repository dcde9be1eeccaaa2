import { describe, expect, test } from 'vitest';
import { documentFixture } from '../../../../fixtures/entities.ts';
import { type DocumentLine, documentLines, linesOfGroup, searchLines } from './document-rows.ts';

const idsOf = (lines: DocumentLine[]) => lines.map(({ document }) => document.id);
const read = { read_at: '2026-11-17T09:00:00.000Z' };

describe('a list of documents', () => {
  test('has what is unread first, and then the newest', () => {
    const lines = documentLines([
      documentFixture({ id: 'read and newest', shared_at: '2026-11-20T09:00:00.000Z', ...read }),
      documentFixture({ id: 'unread and oldest', shared_at: '2026-11-01T09:00:00.000Z' }),
      documentFixture({ id: 'read and older', shared_at: '2026-11-02T09:00:00.000Z', ...read }),
      documentFixture({ id: 'unread and newer', shared_at: '2026-11-10T09:00:00.000Z' }),
    ]);
    expect(idsOf(lines)).toEqual([
      'unread and newer',
      'unread and oldest',
      'read and newest',
      'read and older',
    ]);
  });

  test('folds earlier versions under the newest, wherever they stand in the answer', () => {
    const lines = documentLines([
      documentFixture({ id: 'second', version: 2, supersedes: 'first', superseded_by: 'third' }),
      documentFixture({ id: 'other' }),
      documentFixture({ id: 'first', version: 1, superseded_by: 'second' }),
      documentFixture({ id: 'third', version: 3, supersedes: 'second' }),
    ]);
    expect(idsOf(lines).toSorted()).toEqual(['other', 'third']);
    const third = lines.find(({ document }) => document.id === 'third');
    expect(third?.earlier.map(({ id }) => id)).toEqual(['second', 'first']);
  });

  test('counts a line as read by its newest version: what an earlier one said does not matter', () => {
    const [line] = documentLines([
      documentFixture({ id: 'first', superseded_by: 'second', ...read }),
      documentFixture({ id: 'second', supersedes: 'first', version: 2 }),
    ]);
    expect(line?.document).toMatchObject({ id: 'second', read_at: null });
  });

  test('shows a version whose later one is not there, and survives versions in a ring', () => {
    expect(idsOf(documentLines([documentFixture({ id: 'alone', superseded_by: 'gone' })]))).toEqual([
      'alone',
    ]);
    const ring = documentLines([
      documentFixture({ id: 'a', superseded_by: 'b' }),
      documentFixture({ id: 'b', superseded_by: 'a' }),
    ]);
    expect(
      ring.flatMap(({ document, earlier }) => [document.id, ...earlier.map(({ id }) => id)]).length,
    ).toBe(2);
  });

  test('is parted by matter and group', () => {
    const lines = documentLines([
      documentFixture({ id: 'ours' }),
      documentFixture({ id: 'of the sale', matter_type: 'sale' }),
      documentFixture({ id: 'in another group', group: 'money' }),
    ]);
    expect(idsOf(linesOfGroup(lines, 'purchase', 'contract'))).toEqual(['ours']);
  });
});

describe('a search by name', () => {
  const lines = documentLines([
    documentFixture({ id: 'cafe', title: 'Lease of the Café Noir', file_name: 'lease-7.pdf' }),
    documentFixture({ id: 'plan', title: 'Title plan', file_name: 'BK12345.pdf' }),
  ]);

  test.each([
    ['CAFE', ['cafe']],
    ['noir lease', ['cafe']],
    ['cafe\u0301', ['cafe']],
    ['bk123', ['plan']],
    ['  plan  ', ['plan']],
    ['plan lease', []],
    ['', ['cafe', 'plan']],
    ['   ', ['cafe', 'plan']],
  ])('for “%s” finds %j', (query, found) => {
    expect(idsOf(searchLines(lines, query)).toSorted()).toEqual(found);
  });
});
