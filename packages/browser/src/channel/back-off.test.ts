import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEcho } from './create-echo.ts';
import { keepConnected } from './keep-connected.ts';
import type { ChannelTracker } from './supervise-client.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client whose connection is in the same state for ever. */
const clientThatIs = (status: 'connected' | 'disconnected') =>
  ({
    connectionStatus: () => status,
    socketId: () => '1.1',
    disconnect: () => {},
    leaveAllChannels: () => {},
    connector: { onConnectionChange: () => () => {} },
  }) as unknown as LiveEcho;

/** Builds clients for `time` milliseconds. @returns the seconds from each client to the next */
async function waitsBetweenClients(
  status: 'connected' | 'disconnected',
  { time, random, subscribe }: { time: number; random: number; subscribe(channels: ChannelTracker): void },
): Promise<number[]> {
  const builtAt: number[] = [];
  const stop = keepConnected({
    createEcho: async () => {
      builtAt.push(Date.now());
      return clientThatIs(status);
    },
    subscribe: (_echo, channels) => subscribe(channels),
    onChange: () => {},
    onSessionEnded: () => {},
    random: () => random,
  });
  await vi.advanceTimersByTimeAsync(time);
  stop();
  return builtAt.slice(1).map((at, index) => (at - (builtAt[index] ?? 0)) / 1_000);
}

test.each([
  [1, [2, 4, 8, 16, 32, 64, 120, 120, 120]],
  [0.5, [1.5, 3, 6, 12, 24, 48, 90, 90, 90]],
  [0, [1, 2, 4, 8, 16, 32, 60, 60, 60]],
])(
  'fault 42: waits twice as long after each lost connection, up to two minutes, less a random share: %d',
  async (random, expected) => {
    const waits = await waitsBetweenClients('disconnected', { time: 600_000, random, subscribe: () => {} });
    expect(waits.slice(0, expected.length)).toEqual(expected);
  },
);

test('fault 43: waits longer after each rejected subscription, and starts with the shortest wait again after a subscription has lasted half a minute', async () => {
  let clients = 0;
  const subscribe = (channels: ChannelTracker) => {
    clients += 1;
    channels.require('private-case.1');
    if (clients === 5) {
      channels.confirm('private-case.1');
      setTimeout(() => channels.reject('private-case.1'), 31_000);
    } else channels.reject('private-case.1');
  };
  const waits = await waitsBetweenClients('connected', { time: 70_000, random: 1, subscribe });
  expect(waits).toEqual([2, 4, 8, 16, 31 + 2, 4]);
});
