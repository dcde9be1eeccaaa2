import type { DeskClient, DeskDocument } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { documentEdit, documentFields, signingState, storedDocument } from './document-edits.ts';

const clients = [
  { id: 'amelia', reference: 'C1', first_name: 'Amelia', last_name: 'Okafor' },
  { id: 'tom', reference: 'C2', first_name: 'Tom', last_name: 'Okafor' },
] as DeskClient[];
const none = { originals: [] };
const signature = (id: string) => ({ client: { id, name: id }, signed_at: '2026-11-20T09:00:00.000Z' });
const document = (change: Partial<DeskDocument>) =>
  ({ signing: 'simple', received_on: null, signatures: [], superseded_by: null, ...change }) as DeskDocument;
const stateOf = (change: Partial<DeskDocument>) => signingState(document(change), { clients })?.name;

test('the signing state of a document names who has yet to sign', () => {
  expect(stateOf({})).toBe('Waiting for Amelia and Tom');
  expect(stateOf({ signatures: [signature('amelia')] })).toBe('Waiting for Tom');
  expect(stateOf({ signatures: [signature('amelia'), signature('tom')] })).toBe('Signed by everyone');
  expect(stateOf({ signing: 'deed' })).toBe('Paper not received');
  expect(stateOf({ signing: 'deed', received_on: '2026-11-20' })).toBe('Received signed');
  expect(stateOf({ superseded_by: 'newer' })).toBe('Replaced');
  expect(stateOf({ signing: null })).toBeUndefined();
  expect(stateOf({ signing: null, signatures: [signature('tom')] })).toBe('Signed');
});

test('an edit of a document no longer asks for a signature if none was chosen', () => {
  expect(documentEdit({ title: 'Contract', signing: '', received_on: '' }, 'v1', none)).toEqual({
    version: 'v1',
    changes: { title: 'Contract', signing: null, received_on: null },
  });
  expect(documentEdit({ group: 'contract', signing: 'simple' }, 'v1', none).changes).toEqual({
    group: 'contract',
    signing: 'simple',
  });
});

test('an edit of a document switches the confirmation of identity on and off', () => {
  expect(documentEdit({ confirm_identity: 'yes' }, 'v1', none).changes).toEqual({ confirm_identity: true });
  expect(documentEdit({ confirm_identity: '' }, 'v1', none).changes).toEqual({ confirm_identity: false });
});

test('each joint client has a day for their signed original, and an edit of one keeps those of the others', () => {
  const original = { client: { id: 'amelia', name: 'Amelia Okafor' }, client_reference: 'C1' };
  const deed = document({ signing: 'deed', originals: [{ ...original, received_on: '2026-11-20' }] });
  expect(signingState(deed, { clients })?.name).toBe('Waiting for the original from Tom');
  expect(storedDocument(deed, { clients }).values).toMatchObject({
    'original:C1': '2026-11-20',
    'original:C2': '',
  });
  const labels = (signing: string) =>
    documentFields([], { clients }, deed, { signing, for_client: '' }).map(({ label }) => label);
  expect(labels('deed')).toContain('Original signed by Tom Okafor received on');
  expect(labels('simple').join()).not.toContain('Original signed by');
  expect(documentEdit({ 'original:C2': '2026-11-23' }, 'v1', deed).changes).toEqual({
    originals: [
      { client: 'C1', received_on: '2026-11-20' },
      { client: 'C2', received_on: '2026-11-23' },
    ],
  });
  expect(documentEdit({ 'original:C1': '' }, 'v1', deed).changes).toEqual({ originals: [] });
});
