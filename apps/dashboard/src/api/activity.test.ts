import { expect, test } from 'vitest';
import { watchActivity } from './activity.ts';

test('what the client does counts once, for the next request', () => {
  const page = new EventTarget();
  const takeActivity = watchActivity(page);
  expect(takeActivity()).toBe(false);
  page.dispatchEvent(new Event('keydown'));
  page.dispatchEvent(new Event('pointerdown'));
  expect(takeActivity()).toBe(true);
  expect(takeActivity()).toBe(false);
});
