import { expect, test } from 'vitest';
import { readNotification } from './read-notification.ts';

test('reads the events of a notification', () => {
  const payload = '{"transaction":"812","events":[[5,"private-case.1","CaseUpdated",["a"],"1.2"]]}';
  expect(readNotification(payload)).toEqual({
    transactionId: '812',
    events: [
      {
        id: 5,
        transactionId: '812',
        channel: 'private-case.1',
        event: 'CaseUpdated',
        ids: ['a'],
        exceptSocket: '1.2',
      },
    ],
  });
});

test('reads the transaction of events that were too long', () => {
  expect(readNotification('812')).toEqual({ transactionId: '812', events: null });
});

test.each([
  'x',
  '',
  '-1',
  '123456789012345678901',
  '{',
  '{"transaction":"x","events":[]}',
  '{"transaction":812,"events":[]}',
  '{"transaction":"812"}',
  '{"transaction":"812","events":[5]}',
  '{"transaction":"812","events":[["5","a","b",[],null]]}',
  '{"transaction":"812","events":[[5,"a","b",[1],null]]}',
  '{"transaction":"812","events":[[5,"a","b",[]]]}',
])('rejects a notification that no function of Keyturn sends: %s', (payload) => {
  expect(() => readNotification(payload)).toThrow();
});
