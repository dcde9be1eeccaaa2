import { expect, test } from 'vitest';
import { createReceivedMessages, createSentMessages } from './numbered-messages.ts';

test('fault 45: accepts each message of another server once and in order, and requests missed ones', () => {
  const missed: [string, number][] = [];
  const received = createReceivedMessages({
    startTime: 60_000,
    onMissed: (...request) => missed.push(request),
  });
  const accept = (...numbers: number[]) => numbers.map((number) => received.accept('a', number));
  // It started after the other server, so earlier messages are not for it.
  expect(accept(5, 6, 6, 9, 10)).toEqual([true, true, false, false, false]);
  expect(missed).toEqual([['a', 6]]);
  expect(accept(7, 8, 9, 10)).toEqual([true, true, true, true]);
  received.onLast('a', 10);
  received.onLast('a', 11);
  expect(missed).toEqual([
    ['a', 6],
    ['a', 10],
  ]);
  received.skip('a', 20);
  expect(accept(20, 21)).toEqual([false, true]);
});

test('requests all messages of a server that started while nothing was received', () => {
  const missed: [string, number][] = [];
  const received = createReceivedMessages({ startTime: 0, onMissed: (...request) => missed.push(request) });
  received.onLast('new', 3);
  expect(missed).toEqual([['new', 0]]);
  expect(received.accept('new', 1)).toBe(true);
});

test('keeps the latest messages to other servers up to a number of bytes', () => {
  const sent = createSentMessages(25);
  for (let count = 0; count < 4; count++) sent.add((number) => `message ${number}`);
  expect(sent.last()).toBe(4);
  expect(sent.listAfter(4)).toEqual([]);
  expect(sent.listAfter(2)).toEqual(['message 3', 'message 4']);
  expect(sent.listAfter(1)).toBeNull();
});
