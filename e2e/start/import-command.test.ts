import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demonstrationPassword, sendRequest } from '../harness/api-client.ts';
import { enterFirm } from '../harness/enter-firm.ts';
import { exampleFeed } from '../harness/example-feed.ts';
import { withServer } from '../harness/product-and-browser.ts';
import { projectDirectory } from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const server = withServer({ KEYTURN_DEMONSTRATION: 'off' });
const folder = temporaryFolder();

/** The example feed, which tests change. */
function feedFile(change: (feed: { clients: object[]; searches: object[] }) => void = () => {}): string {
  const feed = exampleFeed();
  change(feed);
  const file = join(folder, 'feed.json');
  writeFileSync(file, JSON.stringify(feed));
  return file;
}

describe('keyturn import', () => {
  test('the first start without cases explains how to import them', () => {
    expect(server.output()).toContain('npx keyturn import FILE');
  });

  test('keyturn import adds a firm to a running server, whose client can sign in at once, and is idempotent', async () => {
    expect((await server.keyturn('import', feedFile())).output).toContain(
      'rejected /clients/0/password (C-1): cannot be set yet. No client can be invited yet.',
    );
    await enterFirm(server.dataDirectory);
    expect(await server.keyturn('import', feedFile())).toEqual({
      code: 0,
      output: '7 created, 0 updated, 0 unchanged, 0 rejected\n',
    });
    const credentials = { email: 'ADA@example.test', password: demonstrationPassword };
    const response = await sendRequest(server.url, '/login', { body: credentials });
    expect(response.status).toBe(200);
    expect((await server.keyturn('import', feedFile())).output).toBe(
      '0 created, 0 updated, 7 unchanged, 0 rejected\n',
    );
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  test('keyturn import lists each invalid record with its position and reason, and exits with status 1', async () => {
    const file = feedFile((feed) =>
      feed.searches.push({ ...feed.searches[0], reference: 'X', price: { net: -1, vat_rate: 20 } }),
    );
    const { code, output } = await server.keyturn('import', file);
    expect(code).toBe(1);
    expect(output).toContain('rejected /searches/1/price/net (X): must be 0 or more');
  });

  test.each([
    [['import', '/nowhere.json'], 'the file does not exist'],
    [['import'], 'Usage:'],
    [['import', '--what', 'x'], 'Usage:'],
    [['dance'], 'Usage:'],
  ])('%j exits with status 2 and a reason', async (args, reason) => {
    const { code, output } = await server.keyturn(...args);
    expect({ code, hasReason: output.includes(reason) }).toEqual({ code: 2, hasReason: true });
  });

  test('keyturn import --schema prints the published JSON Schema', async () => {
    const { output } = await server.keyturn('import', '--schema');
    expect(output).toBe(readFileSync(join(projectDirectory, 'docs/case-feed.schema.json'), 'utf8'));
  });
});
