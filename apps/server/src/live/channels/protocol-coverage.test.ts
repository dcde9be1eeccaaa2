import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The numbered requirements of the protocol. The title of a test for one starts with `protocol N:`. */
const requirements = Array.from({ length: 48 }, (_, number) => number + 1);

test('each of the 48 protocol requirements has a test', () => {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const titles = ['apps/server/src', 'packages/pusher-protocol/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts') && !file.endsWith('protocol-coverage.test.ts'))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    )
    .flatMap((source) => [...source.matchAll(/['"`]protocol (\d+): /g)].map(([, number]) => Number(number)));
  expect(requirements.filter((number) => !titles.includes(number))).toEqual([]);
});
