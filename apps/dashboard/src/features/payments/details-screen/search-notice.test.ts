import { expect, test } from 'vitest';
import { paymentFixture } from '../../../../fixtures/entities.ts';
import { whyCancelled } from './search-notice.tsx';

const amelia = { id: 'amelia', first_name: 'Amelia' };
const tom = { id: 'tom', first_name: 'Tom' };
const hers = paymentFixture({
  status: 'cancelled',
  payer: { client: amelia, own_card: true, name: 'Amelia Okafor' },
  cancelled_by: tom,
});
const of = { caseSearch: { id: 'search' }, clientId: 'amelia' };

test('names the joint client who cancelled the client’s payment', () => {
  expect(whyCancelled([hers], of)).toBe('Tom cancelled the payment that you had started.');
});

test('says that the provider stopped the client’s payment', () => {
  const stopped = { ...hers, cancelled_by: null, stopped_by_provider: true };
  expect(whyCancelled([stopped], of)).toBe(
    'The payment that you had started was stopped before any money moved.',
  );
});

test.each([
  ['the client cancelled it', [{ ...hers, cancelled_by: amelia }]],
  ['it expired', [{ ...hers, cancelled_by: null }]],
  ['it is another search’s', [{ ...hers, case_search_id: 'another' }]],
  ['a later payment followed', [paymentFixture({ status: 'succeeded' }), hers]],
  ['the joint client had started it', [{ ...hers, payer: { ...hers.payer, client: tom } }]],
])('returns no notice if %s', (_why, payments) => {
  expect(whyCancelled(payments, of)).toBeNull();
});
