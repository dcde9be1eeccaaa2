import { expect, test } from 'vitest';
import { describeClientBalance, describeOfficeBalance } from './ledger-balances.ts';

const on = '2026-11-18';

test('a client ledger balance is described with its day, and an overdrawn one as a breach to repair at once', () => {
  expect(describeClientBalance({ client: 120_050, on })).toBe(
    'Client ledger balance on 18 Nov 2026, from your ledger: £1,200.50.',
  );
  expect(describeClientBalance({ client: 0, on })).toMatch(/: £0\.00\.$/);
  expect(describeClientBalance({ client: -1, on })).toMatch(/: -£0\.01\. It is overdrawn, .* at once\.$/);
});

test('an office ledger balance below zero is what the client owes the firm, and one that was not sent is not described', () => {
  expect(describeOfficeBalance({ client: 0, office: -4_500, on })).toMatch(
    /: the client owes you £45\.00\.$/,
  );
  expect(describeOfficeBalance({ client: 0, office: 4_500, on })).toMatch(/: £45\.00\.$/);
  expect(describeOfficeBalance({ client: 0, on })).toBeNull();
});
