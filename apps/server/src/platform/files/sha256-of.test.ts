import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readStoredFile } from '../stored-file.ts';

test('other work continues while a whole stored file is hashed', async () => {
  const content = Buffer.alloc(25_000_000, 'a document');
  const sha256 = createHash('sha256').update(content).digest('hex');
  let turns = 0;
  const turn = () => {
    turns += 1;
    waiting = setImmediate(turn);
  };
  let waiting = setImmediate(turn);
  const files = { read: async () => content };
  const read = await readStoredFile({ files, alertOperator: () => {} }, { sha256, size: content.length });
  clearImmediate(waiting);
  expect(read).toBe(content);
  expect(turns).toBeGreaterThan(0);
});
