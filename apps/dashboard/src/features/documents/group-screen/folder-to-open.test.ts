import { expect, test } from 'vitest';
import { documentFixture, matterFixture, signatureFixture } from '../../../../fixtures/entities.ts';
import { folderToOpen } from './folder-to-open.ts';
import { listDocuments } from './listed-documents.ts';

const read = { read_at: '2026-11-17T09:00:00.000Z' };
const matters = [matterFixture({ matter_type: 'sale' }), matterFixture({ matter_type: 'purchase' })];
const pathFor = (...documents: Parameters<typeof documentFixture>[0][]) =>
  folderToOpen(
    matters,
    listDocuments(documents.map((document, index) => documentFixture({ id: `${index}`, ...document }))),
  );

test('Documents opens “To sign” of the matter with a document that the client must sign, whatever its folder', () => {
  const toSign = { ...read, signature: signatureFixture({ required: true }) };
  expect(
    pathFor(
      { matter_type: 'sale', group: 'searches' },
      { matter_type: 'purchase', group: 'contract', ...toSign },
    ),
  ).toBe('/documents/purchase/to-sign');
});

test('Documents opens the first folder with an unread document when nothing is to sign', () => {
  const signed = { ...read, signature: signatureFixture({ required: false }) };
  expect(
    pathFor(
      { matter_type: 'sale', group: 'to-sign', ...signed },
      { matter_type: 'purchase', group: 'searches' },
    ),
  ).toBe('/documents/purchase/searches');
});

test('Documents opens the first folder with documents when all are read, and the contract folder without any', () => {
  expect(pathFor({ matter_type: 'purchase', group: 'money', ...read })).toBe('/documents/purchase/money');
  expect(pathFor()).toBe('/documents/sale/contract');
});
