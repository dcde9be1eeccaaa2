import { describe, expect, test } from 'vitest';
import { documentFixture, signatureFixture } from '../../../../fixtures/entities.ts';
import { documentsInGroup, type ListedDocument, listDocuments, searchDocuments } from './listed-documents.ts';

const idsOf = (listed: ListedDocument[]) => listed.map(({ document }) => document.id);
const alreadyRead = { read_at: '2026-11-17T09:00:00.000Z' };

describe('a document list', () => {
  test('sorts unread documents first, then newest first', () => {
    const listed = listDocuments([
      documentFixture({ id: 'read and newest', shared_at: '2026-11-20T09:00:00.000Z', ...alreadyRead }),
      documentFixture({ id: 'unread and oldest', shared_at: '2026-11-01T09:00:00.000Z' }),
      documentFixture({ id: 'read and older', shared_at: '2026-11-02T09:00:00.000Z', ...alreadyRead }),
      documentFixture({ id: 'unread and newer', shared_at: '2026-11-10T09:00:00.000Z' }),
    ]);
    expect(idsOf(listed)).toEqual([
      'unread and newer',
      'unread and oldest',
      'read and newest',
      'read and older',
    ]);
  });

  test('groups earlier versions under the newest, whatever the order of the response', () => {
    const listed = listDocuments([
      documentFixture({ id: 'second', version: 2, supersedes: 'first', superseded_by: 'third' }),
      documentFixture({ id: 'other' }),
      documentFixture({ id: 'first', version: 1, superseded_by: 'second' }),
      documentFixture({ id: 'third', version: 3, supersedes: 'second' }),
    ]);
    expect(idsOf(listed).toSorted()).toEqual(['other', 'third']);
    const third = listed.find(({ document }) => document.id === 'third');
    expect(third?.earlierVersions.map(({ id }) => id)).toEqual(['second', 'first']);
  });

  test('counts a document as unread until its newest version is read', () => {
    const [entry] = listDocuments([
      documentFixture({ id: 'first', superseded_by: 'second', ...alreadyRead }),
      documentFixture({ id: 'second', supersedes: 'first', version: 2 }),
    ]);
    expect(entry?.document).toMatchObject({ id: 'second', read_at: null });
  });

  test('lists a version whose successor is missing, and tolerates a cycle of versions', () => {
    expect(idsOf(listDocuments([documentFixture({ id: 'alone', superseded_by: 'gone' })]))).toEqual([
      'alone',
    ]);
    const cycle = listDocuments([
      documentFixture({ id: 'a', superseded_by: 'b' }),
      documentFixture({ id: 'b', superseded_by: 'a' }),
    ]);
    expect(
      cycle.flatMap(({ document, earlierVersions }) => [document.id, ...earlierVersions.map(({ id }) => id)])
        .length,
    ).toBe(2);
  });

  test('filters documents by matter type and group', () => {
    const listed = listDocuments([
      documentFixture({ id: 'ours' }),
      documentFixture({ id: 'of the sale', matter_type: 'sale' }),
      documentFixture({ id: 'in another group', group: 'money' }),
    ]);
    expect(idsOf(documentsInGroup(listed, 'purchase', 'contract'))).toEqual(['ours']);
  });

  test('lists every document that the client must sign in “To sign”, also one from another folder', () => {
    const listed = listDocuments([
      documentFixture({ id: 'to sign', group: 'contract', signature: signatureFixture({ required: true }) }),
      documentFixture({ id: 'signed', group: 'contract', signature: signatureFixture({ required: false }) }),
    ]);
    expect(idsOf(documentsInGroup(listed, 'purchase', 'to-sign'))).toEqual(['to sign']);
    expect(idsOf(documentsInGroup(listed, 'purchase', 'contract')).toSorted()).toEqual(['signed', 'to sign']);
  });
});

describe('document search', () => {
  const listed = listDocuments([
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
  ])('finds documents named like "%s": %j', (query, ids) => {
    expect(idsOf(searchDocuments(listed, query)).toSorted()).toEqual(ids);
  });
});
