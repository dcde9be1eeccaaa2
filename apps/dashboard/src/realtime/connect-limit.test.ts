import { expect, test } from 'vitest';
import { createConnectLimit } from './connect-limit.ts';

test('the sixth connect in ten seconds is one too many; a seldom one never is', () => {
  let at = 0;
  const isOneTooMany = createConnectLimit(() => at);
  expect([1, 2, 3, 4, 5, 6].map(() => isOneTooMany())).toEqual([false, false, false, false, false, true]);
  at = 10_001;
  for (let turn = 0; turn < 20; turn += 1) {
    expect(isOneTooMany()).toBe(false);
    at += 2_001;
  }
});
