import type { BillLine } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { fieldErrorsOf } from '../../../api/client/staff-error.ts';
import { billFields, billValues, readBill, sumInWords, whyFixed, withoutLine } from './entered-lines.ts';

const fee: BillLine = {
  description: 'Our fee',
  net: 100_000,
  vat_code: 'standard',
  vat_rate: 20,
  vat: 20_000,
  money: 'office',
};
const registration: BillLine = {
  description: 'HM Land Registry fee',
  net: 30_000,
  vat_code: 'outside_scope',
  vat_rate: 0,
  vat: 0,
  money: 'client',
};

const valuesOf = (...lines: BillLine[]) =>
  billValues({ lines, estimate: 100_000, above_estimate: 'More searches.' });

test('the lines of a bill in a form are those that are sent, without VAT that is that of its code', () => {
  const { vat_rate: _rate, vat: _vat, ...sent } = fee;
  const { vat_rate: _zero, vat: _none, ...other } = registration;
  expect(readBill(valuesOf(fee, registration)).lines).toEqual([sent, other]);
  expect(readBill(valuesOf({ ...fee, vat: 19_999 })).lines).toEqual([{ ...sent, vat: 19_999 }]);
});

test('the total, VAT and mixture of a bill follow what is typed', () => {
  const values = valuesOf(fee, registration);
  expect(sumInWords(values)).toBe(
    'Total £1,500.00: net £1,300.00, VAT £200.00. £300.00 of it is client money, and £1,200.00 is your own.',
  );
  expect(sumInWords({ ...values, 'lines.0.net': '500' })).toMatch(/^Total £900\.00: .* VAT £100\.00/);
  expect(sumInWords({ ...values, 'lines.1.money': 'office' })).toMatch(/All of it is your own money\.$/);
  expect(sumInWords({ ...values, 'lines.0.net': '5oo' })).toMatch(/once each line has its amounts/);
});

test('each field of a line that cannot be read is named at once', () => {
  const values = {
    ...valuesOf(fee, registration),
    'lines.0.net': 'a lot',
    'lines.1.description': ' ',
    'lines.1.vat': '-1',
    estimate: 'about 900',
  };
  const read = () => {
    try {
      readBill(values);
    } catch (error) {
      return Object.keys(fieldErrorsOf(error));
    }
    return [];
  };
  expect(read()).toEqual(['lines.0.net', 'lines.1.description', 'lines.1.vat', 'estimate']);
});

test('a form has an empty line after those of the bill, and the lines below a removed one move up', () => {
  const values = valuesOf(fee, registration);
  expect(billFields(values)).toHaveLength(17);
  expect(readBill(withoutLine(values, 0)).lines).toMatchObject([{ description: 'HM Land Registry fee' }]);
});

test('the estimate of a bill stays when a line is removed, and is sent with it', () => {
  const sent = { estimate: 100_000, above_estimate: 'More searches.' };
  expect(readBill(withoutLine(valuesOf(fee, registration), 0))).toMatchObject(sent);
  expect(readBill({ ...valuesOf(fee), estimate: '', above_estimate: ' ' })).toMatchObject({
    estimate: null,
    above_estimate: null,
  });
});

test('a bill says why its lines no longer change', () => {
  expect(
    [null, 'open', 'paid'].map((by) => whyFixed({ lines_fixed_by: by as 'open' | 'paid' | null })),
  ).toEqual([
    null,
    expect.stringContaining('A client is paying it'),
    expect.stringContaining('A payment of it was made'),
  ]);
});
