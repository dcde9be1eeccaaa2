import { expect, test } from 'vitest';
import { findBankDetails, hasBankDetails } from './bank-details.ts';

test.each([
  'Sort code 20-00-00, account 12345678',
  'account number 1234 5678 and sort code 200000',
  '20 00 00 / 12345678',
  '200000 12345678',
  '20000012345678',
  'GB33BUKB20201555555555',
  'gb33 bukb 2020 1555 5555 55',
  '２０-００-００ １２３４５６７８',
])('finds bank details in “%s”', (text) => expect(hasBankDetails(text)).toBe(true));

test.each([
  'We exchange on 2026-11-23. Call us on 0117 496 0101.',
  'The price is £325,000.00, and the deposit £32500.',
  'Our reference is 12345678.',
  'Call us on 07700 900123 about title 12345678.',
  'Your sort code is not needed.',
  'The balance is £325000 for title WS123456 and account 12345678',
  '',
])('finds no bank details in “%s”', (text) => expect(hasBankDetails(text)).toBe(false));

test.each([
  'Sort code 20-00-00, account 12345678',
  '20-00-00 12345678',
  'Our bank: 200000 12345678',
  'Bank: 27/11/26 12345678',
  'Please send the money to 03-01-26 64747077.',
  'Pay to 200000 12345678',
  'GB33BUKB20201555555555',
  'Please pay: sort code 27.11.26',
])('is certain of bank details in “%s”', (text) => expect(findBankDetails(text)).toBe('certain'));

test.each(['27.11.26 / 12345678', '200000 12345678', '20000012345678', 'Please pay by 27.11.26 / 12345678'])(
  'leaves to a person whether “%s” has bank details',
  (text) => expect(findBankDetails(text)).toBe('possible'),
);

test('finds bank details in time proportional to the length of the text', () => {
  for (const part of ['20-00-0', '12345678 ', '20 ', 'GB33BUKB2020', '1']) {
    const started = performance.now();
    hasBankDetails(part.repeat(50_000 / part.length));
    expect(performance.now() - started, part).toBeLessThan(500);
  }
});
