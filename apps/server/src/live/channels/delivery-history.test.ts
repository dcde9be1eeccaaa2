import { expect, test } from 'vitest';
import { createDeliveryHistory } from './delivery-history.ts';

const at = (oldestTransaction: bigint, timeline = '1') => ({ timeline, oldestTransaction });

test('replays from the last position that a later check has confirmed', () => {
  const history = createDeliveryHistory();
  expect(history.findReplayStart(at(5n))).toBeNull();
  history.onCheck(at(10n));
  expect(history.findReplayStart(at(12n))).toBe(5n);
  history.onCheck(at(20n));
  expect(history.findReplayStart(at(25n))).toBe(12n);
  // A second gap before the next check starts from the same transaction.
  expect(history.findReplayStart(at(26n))).toBe(12n);
});

test('remembers delivered events as long as a replay may contain them', () => {
  const history = createDeliveryHistory();
  const event = { transactionId: '11', id: 1 };
  history.onCheck(at(10n));
  expect([history.add(event), history.add(event), history.add({ ...event, id: 2 })]).toEqual([
    true,
    false,
    true,
  ]);
  history.onCheck(at(20n));
  expect(history.add(event)).toBe(false);
  history.onCheck(at(30n));
  history.onCheck(at(30n));
  expect(history.add(event)).toBe(true);
});

test('replays nothing if events may be lost: on another timeline, in an older database, after 50 minutes', () => {
  const history = createDeliveryHistory();
  const checked = () => {
    history.onCheck(at(10n));
    history.onCheck(at(10n));
  };
  checked();
  expect(history.findReplayStart(at(12n, '2'))).toBeNull();
  checked();
  checked();
  expect(history.findReplayStart(at(9n))).toBeNull();
  checked();
  checked();
  expect(history.findReplayStart(at(12n), performance.now() + 51 * 60_000)).toBeNull();
});
