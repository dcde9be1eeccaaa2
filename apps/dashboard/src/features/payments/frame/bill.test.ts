import { expect, test } from 'vitest';
import { caseSearchFixture } from '../../../../fixtures/entities.ts';
import { costOf, moreThanEstimated } from './bill.tsx';

test('the price of a search says whose charge it is, if the firm has said', () => {
  const search = caseSearchFixture({
    supplier: 'The water company',
    price: { net: 5_000, vat_rate: 20, vat: 1_000, gross: 6_000 },
  });
  expect(costOf({ ...search, supplier_cost: null })).toBeNull();
  expect(costOf({ ...search, supplier_cost: 6_000 })).toBe(
    'The water company charges us £60.00 for this. We add nothing to that.',
  );
  expect(costOf({ ...search, supplier_cost: 4_500 })).toBe(
    'The water company charges us £45.00 of this. £15.00 is our own charge.',
  );
});

test('a price above the estimate says by how much and why, and any other says nothing', () => {
  const above_estimate = 'The council has raised its fee.';
  expect(moreThanEstimated('Bill 118', { gross: 6_000, estimate: 4_800, above_estimate })).toBe(
    'Bill 118 is £12.00 more than our estimate of £48.00. The council has raised its fee.',
  );
  expect(moreThanEstimated('Bill 118', { gross: 4_800, estimate: 4_800, above_estimate })).toBeNull();
  expect(moreThanEstimated('Bill 118', { gross: 4_800, estimate: null, above_estimate: null })).toBeNull();
  // A server of the last release sends neither.
  expect(moreThanEstimated('Bill 118', { gross: 4_800 })).toBeNull();
});
