import { expect, test } from 'vitest';
import { createServerBus } from './server-bus.ts';

test.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'a word that is told %i turns after another one, when that is all but sent, does not wait for a third',
  async (turns) => {
    const said: string[] = [];
    const pool = {
      query: async (_text: string, [, payload]: string[]) => {
        said.push(...JSON.parse(payload ?? '[]'));
      },
    };
    const words = createServerBus(pool as never, (error) => {
      throw error;
    });
    words.tell('first');
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    words.tell('second');
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual(['first', 'second']);
  },
);
