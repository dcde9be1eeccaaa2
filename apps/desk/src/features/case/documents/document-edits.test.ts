import type { DeskClient, DeskDocument } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { documentEdit, signingState } from './document-edits.ts';

const clients = [
  { id: 'amelia', first_name: 'Amelia' },
  { id: 'tom', first_name: 'Tom' },
] as DeskClient[];
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
  expect(documentEdit({ title: 'Contract', signing: '', received_on: '' }, 'v1')).toEqual({
    version: 'v1',
    changes: { title: 'Contract', signing: null, received_on: null },
  });
  expect(documentEdit({ group: 'contract', signing: 'simple' }, 'v1').changes).toEqual({
    group: 'contract',
    signing: 'simple',
  });
});

test('an edit of a document switches the confirmation of identity on and off', () => {
  expect(documentEdit({ confirm_identity: 'yes' }, 'v1').changes).toEqual({ confirm_identity: true });
  expect(documentEdit({ confirm_identity: '' }, 'v1').changes).toEqual({ confirm_identity: false });
});
