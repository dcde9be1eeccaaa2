import { expect, test, vi } from 'vitest';
import { createDeskAnnouncer, toDeskEvent } from './announce-to-desk.ts';
import type { StoredEvent } from './events-store.ts';

const eventOn = (id: number, channel: string, ids: string[] = []): StoredEvent => ({
  id,
  transactionId: '1',
  channel,
  event: 'CaseUpdated',
  ids,
  exceptSocket: '1.2',
});

test('names the cases that have changed, once each, with the version of the newest event', () => {
  const events = [
    eventOn(7, 'private-case.a', ['payment 1']),
    eventOn(9, 'private-case.b'),
    eventOn(8, 'private-case.a'),
    eventOn(10, 'private-client.c'),
    eventOn(11, '#sessions', ['d']),
  ];
  expect(toDeskEvent(events)).toEqual({
    id: 9,
    transactionId: '1',
    channel: 'private-desk',
    event: 'DeskUpdated',
    ids: ['a', 'b'],
    exceptSocket: null,
  });
  expect(toDeskEvent(events.slice(3))).toBeNull();
});

test('names no cases when more than 50 have changed, or when the desk itself has', () => {
  const cases = Array.from({ length: 51 }, (_, index) => eventOn(index, `private-case.${index}`));
  expect(toDeskEvent(cases.slice(1))?.ids).toHaveLength(50);
  expect(toDeskEvent(cases)?.ids).toEqual([]);
  expect(toDeskEvent([eventOn(1, 'private-case.a'), eventOn(2, 'private-desk')])?.ids).toEqual([]);
});

test('announces all changes within a fifth of a second in one event', () => {
  vi.useFakeTimers();
  try {
    const published: StoredEvent[] = [];
    const announcer = createDeskAnnouncer((event) => published.push(event));
    announcer.note([eventOn(1, 'private-client.c')]);
    vi.advanceTimersByTime(1_000);
    expect(published).toEqual([]);
    announcer.note([eventOn(2, 'private-case.a')]);
    vi.advanceTimersByTime(150);
    announcer.note([eventOn(3, 'private-case.b')]);
    announcer.note([eventOn(4, 'private-client.c')]);
    vi.advanceTimersByTime(50);
    expect(published.map(({ ids }) => ids)).toEqual([['a', 'b']]);
    announcer.note([eventOn(5, 'private-case.a')]);
    vi.advanceTimersByTime(200);
    expect(published.map(({ id }) => id)).toEqual([3, 5]);
  } finally {
    vi.useRealTimers();
  }
});
