import { expect, test } from 'vitest';
import { caseFixture } from '../../../fixtures/entities.ts';
import { awaitsIdentityCheck } from './payment-rules.ts';

const { firm, matters } = caseFixture();
const [matter] = matters;
if (!matter) throw new Error('The fixture has no matter');

const steps = { search: 'identity_checked', identity_check: 'none' } as const;
const ruled = { ...firm, payment_rules: { unasked: {}, not_before: steps } } as unknown as typeof firm;
const unchecked = { ...matter, id: 'unchecked', is_identity_checked: false };
const checked = { ...matter, id: 'checked', is_identity_checked: true };
const both = { firm: ruled, matters: [checked, unchecked] };

test.each([
  ['search', 'unchecked', true],
  ['search', 'checked', false],
  ['search', null, true],
  ['identity_check', 'unchecked', false],
] as const)(
  'whether a payment for %s of the matter %s waits for the identity check: %s',
  (purpose, matterId, waits) => {
    expect(awaitsIdentityCheck(both, { purpose, matterId })).toBe(waits);
  },
);

test('nothing waits for the identity check with a server of the last release, or of a matter that is completed', () => {
  const search = { purpose: 'search', matterId: null } as const;
  expect(awaitsIdentityCheck({ firm, matters: [unchecked] }, search)).toBe(false);
  const { is_identity_checked: _, ...former } = unchecked;
  expect(awaitsIdentityCheck({ firm: ruled, matters: [former] }, search)).toBe(false);
  expect(awaitsIdentityCheck({ firm: ruled, matters: [{ ...unchecked, status: 'completed' }] }, search)).toBe(
    false,
  );
});
