import { expect, test } from 'vitest';
import { describeContents, describeRule } from './retention-text.ts';

test('a retention rule is described with its length in years where it is a whole number of them, and its end', () => {
  expect(describeRule({ kind: 'purchase', months: 180, until: '2041-05-31T23:30:00.000Z' })).toBe(
    'Purchase: 15 years after the case is closed, until 1 Jun 2041',
  );
  expect(describeRule({ kind: 'payments', months: 90, until: null })).toBe(
    'Payments: 90 months after the last change of a payment',
  );
  expect(describeContents({ documents: 1_400, signatures: 1, payments: 0 })).toBe(
    '1,400 documents, 1 signature, 0 payments',
  );
});
