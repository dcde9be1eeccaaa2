import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runKeyturn } from '../harness/run-keyturn.ts';
import {
  projectDirectory,
  type RunningProduct,
  removeDataDirectory,
  startProduct,
} from '../harness/start-product.ts';

let product: RunningProduct;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-import-'));
  product = await startProduct({ env: { KEYTURN_DEMONSTRATION: 'off' } });
});
afterAll(async () => {
  await product?.stop();
  if (product) removeDataDirectory(product.dataDirectory);
  rmSync(folder, { recursive: true, force: true });
});

/** The example of docs/case-feed.md with a password, and whatever a test changes. */
function feedFile(change: (feed: { clients: object[]; searches: object[] }) => void = () => {}): string {
  const text = readFileSync(join(projectDirectory, 'docs/case-feed.md'), 'utf8');
  const feed = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  feed.clients[0].password = 'turn-the-key-2026';
  change(feed);
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  return file;
}

const keyturn = (...args: string[]) => runKeyturn(product.dataDirectory, args);

describe('keyturn import', () => {
  test('says so on the first start when there are no cases yet', () => {
    expect(product.output()).toContain('npx keyturn import FILE');
  });

  test('beside a running server brings in a firm whose client can sign in at once; again it changes nothing', async () => {
    expect(await keyturn('import', feedFile())).toEqual({
      code: 0,
      output: '6 created, 0 updated, 0 unchanged, 0 refused\n',
    });
    const response = await fetch(`${product.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ADA@example.test', password: 'turn-the-key-2026' }),
    });
    expect(response.status).toBe(200);
    expect((await keyturn('import', feedFile())).output).toBe(
      '0 created, 0 updated, 6 unchanged, 0 refused\n',
    );
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  });

  test('names what it refuses, with place and reason, and ends with 1', async () => {
    const file = feedFile((feed) =>
      feed.searches.push({ ...feed.searches[0], reference: 'X', price: { net: -1, vat_rate: 20 } }),
    );
    const { code, output } = await keyturn('import', file);
    expect(code).toBe(1);
    expect(output).toContain('refused /searches/1/price/net (X): must be >= 0');
  });

  test.each([
    [['import', '/nowhere.json'], 'there is no such file'],
    [['import'], 'Usage:'],
    [['import', '--what', 'x'], 'Usage:'],
    [['dance'], 'Usage:'],
  ])('%j ends with 2 and a line that says why', async (args, words) => {
    const { code, output } = await keyturn(...args);
    expect({ code, said: output.includes(words) }).toEqual({ code: 2, said: true });
  });

  test('--schema prints the published JSON Schema', async () => {
    const { output } = await keyturn('import', '--schema');
    expect(output).toBe(readFileSync(join(projectDirectory, 'docs/case-feed.schema.json'), 'utf8'));
  });
});
