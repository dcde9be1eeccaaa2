import { expect, test } from 'vitest';
import { describeContents, describeRetentionEnd, describeRule } from './retention-text.ts';

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

test('describes whether a case or client is erased or only listed when the retention ends, or since it ended', () => {
  const [past, coming] = ['2021-06-01T00:00:00.000Z', '2121-06-01T00:00:00.000Z'];
  expect(describeRetentionEnd('case', { deletes: false, until: past })).toBe(
    'The retention has ended. The case is listed as due, and is erased only when the firm orders it.',
  );
  expect(describeRetentionEnd('client', { deletes: false, until: coming })).toBe(
    'The client is then listed as due, and is erased only when the firm orders it.',
  );
  expect(describeRetentionEnd('case', { deletes: true, until: past })).toMatch(
    /^The retention has ended\. The case is erased in the coming night, unless a legal hold, /,
  );
  expect(describeRetentionEnd('case', { deletes: true, until: coming })).toMatch(
    /^The case is erased the following night, unless /,
  );
});
