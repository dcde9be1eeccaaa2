import { expect, test } from 'vitest';
import { createServerBus, readMessages } from './server-bus.ts';

test.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'the server bus sends a message published %i microtasks after another without waiting for a third',
  async (turns) => {
    const sent: string[] = [];
    const waiting: string[] = [];
    const bus = createServerBus({
      network: { send: async (text) => void sent.push(...readMessages(text)) },
      take: () => waiting.shift(),
      onError: (error) => {
        throw error;
      },
    });
    const publish = (message: string) => {
      waiting.push(message);
      bus.wake();
    };
    publish('first');
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    publish('second');
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual(['first', 'second']);
  },
);
