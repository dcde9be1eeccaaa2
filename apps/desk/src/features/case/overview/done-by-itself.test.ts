import type { DeskCase, DeskDocument, DeskSearch, DeskTask } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { doneByItself } from './done-by-itself.ts';

const amelia = { id: 'amelia', name: 'Amelia Okafor', first_name: 'Amelia', last_name: 'Okafor' };
const deskCase = (search: Partial<DeskSearch>, document: Partial<DeskDocument>) =>
  ({
    clients: [amelia],
    searches: [{ id: 'search', status: 'awaiting_payment', ...search }],
    documents: [
      {
        id: 'document',
        signing: 'simple',
        signatures: [],
        received_on: null,
        superseded_by: null,
        withdrawn_at: null,
        ...document,
      },
    ],
  }) as unknown as Pick<DeskCase, 'searches' | 'documents' | 'clients'>;
const task = (kind: DeskTask['kind']) =>
  ({ kind, case_search_id: 'search', document_id: 'document' }) as DeskTask;

test('staff cannot complete a task to pay for a search that is due', () => {
  expect(doneByItself(task('pay_search'), deskCase({}, {}))).toBe(
    'Done once it’s paid, ordered or cancelled.',
  );
  expect(doneByItself(task('pay_search'), deskCase({ status: 'ordered' }, {}))).toBe(null);
});

test('staff cannot complete a task to sign while a signature or the signed paper is missing', () => {
  const toSign = (document: Partial<DeskDocument>) =>
    doneByItself(task('sign_document'), deskCase({}, document));
  expect(toSign({})).toBe('Done once everyone has signed.');
  expect(toSign({ signatures: [{ client: amelia, signed_at: '2026-11-23T09:00:00.000Z' }] })).toBe(null);
  expect(toSign({ signing: 'deed' })).toMatch(/^Done once you’ve entered under Documents/);
  expect(toSign({ signing: 'deed', received_on: '2026-11-23' })).toBe(null);
  expect(toSign({ signing: null })).toBe(null);
});

test.each(['pay', 'read_document', 'contact_us'] as const)('staff complete a task of the kind %s', (kind) => {
  expect(doneByItself(task(kind), deskCase({}, {}))).toBe(null);
});
