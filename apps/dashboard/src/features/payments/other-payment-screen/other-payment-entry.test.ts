import { hiddenCharacterNotAllowed } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { billFixture, caseFixture } from '../../../../fixtures/entities.ts';
import { type OtherPaymentEntry, readEntry } from './other-payment-entry.ts';

const limits = { min: 1_00, max: 5_000_00, method: 'card' as const };
const [matter] = caseFixture().matters;
if (!matter) throw new Error('The fixture has no matter');
const otherMatter = { ...matter, id: 'other matter' };

const entry: OtherPaymentEntry = {
  category: 'money_on_account',
  amount: '250',
  reference: ' Bill 118 ',
  matterId: null,
  billId: null,
};
const read = (change: Partial<OtherPaymentEntry>, matters = [matter]) =>
  readEntry({ ...entry, ...change }, { limits, matters, bills: [bill] });
const bill = billFixture({ id: 'bill', number: '118', matter_id: 'other matter', payable: 27_600 });

test('a complete entry becomes the details of a payment', () => {
  expect(read({})).toEqual({
    details: {
      category: 'money_on_account',
      amount: 250_00,
      reference: 'Bill 118',
      matterId: matter.id,
      bill: null,
    },
  });
});

test('an empty reference is none', () => {
  expect(read({ reference: '  ' })).toMatchObject({ details: { reference: null } });
});

test('only another payment than the listed ones must say what it is for', () => {
  expect(read({ category: 'other', reference: ' ' })).toEqual({
    faults: { reference: 'Enter what the payment is for.' },
  });
  expect(read({ category: 'other', reference: 'Land charge' })).toMatchObject({
    details: { category: 'other', reference: 'Land charge' },
  });
});

test('every invalid field has its own message', () => {
  expect(read({ category: null, amount: 'abc', reference: '4242 4242 4242 4242' })).toEqual({
    faults: {
      category: 'Choose what the payment is for.',
      amount: 'Enter the amount in pounds, for example 250 or 1,250.50.',
      reference: expect.any(String),
    },
  });
});

test('a case with several matters uses the one that was chosen, and the whole case if none was', () => {
  const matters = [matter, otherMatter];
  expect(read({ matterId: 'other matter' }, matters)).toMatchObject({
    details: { matterId: 'other matter' },
  });
  expect(read({ matterId: null }, matters)).toMatchObject({ details: { matterId: null } });
});

test('a matter of another case counts as none', () => {
  expect(read({ matterId: 'elsewhere' }, [matter, otherMatter])).toMatchObject({
    details: { matterId: null },
  });
});

test('a reference with a hidden character has a message', () => {
  expect(read({ reference: 'Invoice \u202e7' })).toEqual({
    faults: { reference: hiddenCharacterNotAllowed },
  });
});

test('legal fees need a bill, and belong to its matter', () => {
  expect(read({ category: 'legal_fees' })).toEqual({ faults: { bill: 'Choose the bill you’re paying.' } });
  expect(read({ category: 'legal_fees', billId: 'bill' })).toMatchObject({
    details: { bill: { id: 'bill', number: '118' }, matterId: 'other matter' },
  });
});

test('a bill cannot be paid down to a rest that is too small to be paid online', () => {
  const pay = (amount: string) => read({ category: 'legal_fees', billId: 'bill', amount });
  expect(pay('275.50')).toEqual({
    faults: { amount: expect.stringMatching(/^Pay all that is left of this bill, or leave at least £/) },
  });
  expect(pay('276')).toMatchObject({ details: { amount: 27_600 } });
});

test('no more than what is left of a bill can be paid', () => {
  expect(read({ category: 'legal_fees', billId: 'bill', amount: '276.01' })).toEqual({
    faults: { amount: 'Only £276.00 of this bill is left to pay.' },
  });
  expect(read({ category: 'legal_fees', billId: 'bill', amount: '276' })).toMatchObject({
    details: { amount: 27_600 },
  });
});

test('a bill that was chosen before another purpose is not paid', () => {
  expect(read({ category: 'other', billId: 'bill' })).toMatchObject({ details: { bill: null } });
});

test('a payment that the firm has not asked for is within its limit, and one that it has asked for is not limited', () => {
  const { firm } = caseFixture();
  const rules = { unasked: { money_on_account: 200_00, other: null }, not_before: {} };
  const limited = { ...firm, payment_rules: rules } as unknown as typeof firm;
  const readFor = (change: Partial<OtherPaymentEntry>, isAsked = false) =>
    readEntry(
      { ...entry, reference: 'Map', ...change },
      { limits, matters: [matter], bills: [], firm: limited, isAskedFor: () => isAsked },
    );
  expect(readFor({ amount: '200' })).toHaveProperty('details');
  expect(readFor({ amount: '200.01' })).toEqual({
    faults: { amount: expect.stringContaining('up to £200.00 a day') },
  });
  expect(readFor({ category: 'other' })).toEqual({
    faults: { category: 'We only accept this if we’ve asked you for it. Please call us first.' },
  });
  expect(readFor({ category: 'other' }, true)).toHaveProperty('details');
});

test('a payment that comes after the identity check says so in the form', () => {
  const { firm } = caseFixture();
  const rules = { unasked: {}, not_before: { money_on_account: 'identity_checked' } };
  const ruled = { ...firm, payment_rules: rules } as unknown as typeof firm;
  const readFor = (is_identity_checked: boolean) =>
    readEntry(entry, { limits, matters: [{ ...matter, is_identity_checked }], bills: [], firm: ruled });
  expect(readFor(false)).toEqual({
    faults: { category: 'You can pay this online once our identity checks for your case are done.' },
  });
  expect(readFor(true)).toHaveProperty('details');
});
