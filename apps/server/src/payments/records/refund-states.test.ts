import { withTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { refundTransitions } from './refund-states.ts';

const testDatabase = withTestDatabase();

test('the database allows the same changes of a refund as the code', async () => {
  const { rows } = await testDatabase.pool.query('select from_status, to_status from refund_transitions');
  const inCode = Object.entries(refundTransitions).flatMap(([from, changes]) =>
    Object.keys(changes).map((to) => `${from} ${to}`),
  );
  expect(rows.map(({ from_status, to_status }) => `${from_status} ${to_status}`).sort()).toEqual(
    inCode.sort(),
  );
});
