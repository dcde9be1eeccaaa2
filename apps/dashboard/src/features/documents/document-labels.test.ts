import { describe, expect, test } from 'vitest';
import { documentFixture, matterFixture } from '../../../fixtures/entities.ts';
import {
  fileNameOf,
  fileWords,
  listNames,
  matterWords,
  signatureWords,
  signWords,
  sizeWords,
} from './document-labels.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [10_125, '10 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [1_240_000, '1.2 MB'],
  [25_000_000, '25 MB'],
])('%i bytes are %s', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});

test('the signed copy is saved under a name of its own', () => {
  const document = { file_name: 'Deed scan.PNG', size: 900 };
  expect(fileNameOf(document, { size: 900 })).toBe('Deed scan.PNG');
  expect(fileNameOf(document, { size: 1_400 })).toBe('Deed scan (signed).pdf');
});

test('a file is named by its kind, its pages and its size', () => {
  expect(fileWords(documentFixture())).toBe('PDF, 2 pages, 10 KB');
  expect(fileWords(documentFixture({ pages: 1 }))).toBe('PDF, 1 page, 10 KB');
  expect(fileWords(documentFixture({ pages: null }))).toBe('PDF, 10 KB');
  expect(fileWords(documentFixture({ media_type: 'image/jpeg', pages: 1 }))).toBe('Image, 10 KB');
});

test.each([
  ['Contract for the sale of 14 Alder Row', 'Sign the contract for the sale of 14 Alder Row'],
  ['TR1 transfer deed', 'Sign the TR1 transfer deed'],
  ['SDLT return', 'Sign the SDLT return'],
  ['Our terms, and what it will cost', 'Sign “Our terms, and what it will cost”'],
  ['A deed of gift', 'Sign “A deed of gift”'],
  ['Österreich lease', 'Sign the österreich lease'],
])('%s: %s', (title, words) => {
  expect(signWords(title)).toBe(words);
});

test('names are listed as one says them', () => {
  expect(listNames([])).toBe('');
  expect(listNames(['Tom Okafor'])).toBe('Tom Okafor');
  expect(listNames(['Tom', 'Grace', 'Ann'])).toBe('Tom, Grace and Ann');
});

test('a matter is named by its home, several of a kind by all of theirs', () => {
  const flat = matterFixture({
    property: { ...matterFixture().property, address_lines: ['Flat 3', '21 Harbour View'] },
  });
  expect(matterWords('purchase', [matterFixture()])).toBe('Purchase of The Old Chapel');
  expect(matterWords('purchase', [matterFixture(), flat])).toBe(
    'Purchase of The Old Chapel and Flat 3, 21 Harbour View',
  );
  expect(matterWords('transfer-of-equity', [])).toBe('Transfer of equity');
});

describe('the mark of a signature', () => {
  const signature = { required: false, signed_at: null, signed_by: null, others: [] };
  const tom = { name: 'Tom Okafor', signed_at: null };
  const signed = { signed_at: '2026-11-20T10:00:00.000Z' };

  test.each([
    ['nobody is asked', null, null],
    ['this client is asked', { ...signature, required: true, others: [tom] }, 'To sign'],
    [
      'this client has signed and another has not',
      { ...signature, ...signed, others: [tom] },
      'Signed by you',
    ],
    ['only another is asked', { ...signature, others: [tom] }, 'Being signed'],
    ['all have signed', { ...signature, ...signed, others: [{ ...tom, ...signed }] }, 'Signed'],
  ])('where %s', (_, given, words) => {
    expect(signatureWords(given)?.words ?? null).toBe(words);
  });
});
