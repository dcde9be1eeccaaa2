import { expect, test } from 'vitest';
import { createConnectLimit } from './connect-limit.ts';

test('fault 42: exceeds the limit on the sixth connect in 10 seconds, and never with slow reconnects', () => {
  let at = 0;
  const exceedsConnectLimit = createConnectLimit(() => at);
  expect([1, 2, 3, 4, 5, 6].map(() => exceedsConnectLimit())).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
  at = 10_001;
  for (let turn = 0; turn < 20; turn += 1) {
    expect(exceedsConnectLimit()).toBe(false);
    at += 2_001;
  }
});
