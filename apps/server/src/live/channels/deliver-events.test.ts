import { deskChannel } from '@keyturn/contract/staff';
import { withStatementCount, withTestDatabase } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { createEventDelivery } from './deliver-events.ts';
import type { Channels } from './ports.ts';

const testDatabase = withTestDatabase();
const counted = withStatementCount(testDatabase);

function startDelivery() {
  const log: string[] = [];
  const channels: Channels = {
    publish: ({ channel, event, data, except }) => {
      // The desk’s events follow a fifth of a second later.
      if (channel !== deskChannel)
        log.push([channel, event, data, ...(except === null ? [] : [except])].join(' '));
    },
    bind: () => true,
    endSessions: (sessions) => log.push(`end ${sessions}`),
    reconnectClients: (clients) => log.push(`reconnect ${clients}`),
    reconnectAll: () => log.push('reconnect all'),
  };
  const errors: unknown[] = [];
  const delivery = createEventDelivery({
    database: counted.database,
    channels,
    namespace: 'App.Events',
    onError: (error) => errors.push(error),
    retryAfter: 1,
  });
  return { delivery, log, errors };
}

type Event = [id: number, channel: string, event: string, ids: string[], except: string | null];
const notification = (transaction: string, ...events: Event[]) => JSON.stringify({ transaction, events });
const updated = (id: number, except: string | null = null): Event => [
  id,
  'private-case.1',
  'CaseUpdated',
  [],
  except,
];
const received = (id: number) => `private-case.1 App\\Events\\CaseUpdated {"version":${id},"ids":[]}`;

/** Stores an event in its own transaction, as the database does. */
async function storeEvent() {
  const { rows } = await testDatabase.pool.query<{ id: string; transaction: string }>(
    `insert into broadcast_events (channel, event, ids) values ('private-case.1', 'CaseUpdated', '{}')
     returning id, transaction_id::text as transaction`,
  );
  return { id: Number(rows[0]?.id), transaction: rows[0]?.transaction ?? '' };
}

describe('delivery of events', () => {
  test('delivers the events of a notification without reading them', async () => {
    const { delivery, log } = startDelivery();
    const statements = await counted.countStatementsOf(async () => {
      delivery.deliver(
        notification(
          '900000',
          updated(1, '1.2'),
          [2, '#sessions', 'ended', ['a', 'b'], null],
          [3, '#access', 'ended', ['c'], null],
        ),
      );
      await expect.poll(() => log.length).toBe(3);
    });
    expect(log).toEqual([`${received(1)} 1.2`, 'end a,b', 'reconnect c']);
    expect(statements).toBe(0);
  });

  test('keeps the order of the commits when some events have to be read', async () => {
    const { delivery, log } = startDelivery();
    const [first, second] = [await storeEvent(), await storeEvent()];
    delivery.deliver(notification('900001', updated(11)));
    delivery.deliver(second.transaction);
    delivery.deliver(notification('900002', updated(12)));
    delivery.deliver(first.transaction);
    await expect.poll(() => log.length).toBe(4);
    expect(log).toEqual([11, second.id, 12, first.id].map(received));
  });

  test('fault 45: delivers an event once if it arrives with its notification and again in a replay', async () => {
    const { delivery, log } = startDelivery();
    const [early, late] = [await storeEvent(), await storeEvent()];
    const at = (transaction: string) => ({ timeline: '1', oldestTransaction: BigInt(transaction) });
    delivery.onCheck(at(early.transaction));
    delivery.deliver(notification(early.transaction, updated(early.id)));
    delivery.replay(at(late.transaction));
    delivery.deliver(notification(late.transaction, updated(late.id)));
    await expect.poll(() => log).toEqual([early.id, late.id].map(received));
  });

  test('fault 45: delivers the events it has, and makes all clients reconnect, when others cannot be read', async () => {
    const { delivery, log, errors } = startDelivery();
    // PostgreSQL has no transactions with such high numbers.
    delivery.deliver('99999999999999999999');
    delivery.deliver(notification('900003', [1, '#sessions', 'ended', ['a'], null]));
    await expect.poll(() => log).toEqual(['reconnect all', 'end a']);
    delivery.deliver('{"transaction"');
    expect(log.at(-1)).toBe('reconnect all');
    expect(errors).toHaveLength(4);
  });
});
