import { spawn } from 'node:child_process';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signInForToken } from '../harness/api-client.ts';
import { freePort } from '../harness/free-port.ts';
import { copyDemonstration, projectDirectory, removeDataDirectory } from '../harness/start-product.ts';

const dataDirectory = copyDemonstration();
afterAll(() => removeDataDirectory(dataDirectory));

test('npm run dev serves the sources with the server’s configuration, restarts the server on change and stops with Ctrl-C', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const development = spawn(process.execPath, [join(projectDirectory, 'scripts/dev.mjs')], {
    cwd: projectDirectory,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      KEYTURN_DATA_DIR: dataDirectory,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => development.once('exit', resolve));
  let output = '';
  for (const stream of [development.stdout, development.stderr])
    stream.on('data', (text) => (output += text));
  try {
    await expect.poll(() => output, { timeout: 120_000 }).toContain('Stop with Ctrl-C');
    const printedUrl = `http://localhost:${port}`;
    expect(output).toContain(`Keyturn is ready at ${printedUrl}`);
    expect(output, 'passkeys need the host name').toContain(`${printedUrl}/desk`);
    expect(output).toContain('amelia@example.test');

    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('/@vite/client');
    const config = /id="keyturn-config">(.*?)<\/script>/.exec(page)?.[1] ?? '{}';
    expect(JSON.parse(config)).toMatchObject({ environment: 'development', demonstration: true });
    const sources = await fetch(`${url}/src/main.tsx`);
    expect(sources.headers.get('content-type')).toContain('javascript');

    const desk = await (await fetch(`${url}/desk`, { headers: { accept: 'text/html' } })).text();
    expect(desk).toContain('/desk/@vite/client');
    expect(desk).toContain('id="keyturn-config"');
    const deskSources = await fetch(`${url}/desk/src/main.tsx`);
    expect(deskSources.headers.get('content-type')).toContain('javascript');

    for (const origin of [url, printedUrl]) {
      const refused = await signInAtDesk(origin);
      expect(refused, `a sign-in at ${origin} is refused for its password only`).toBe(401);
    }
    expect(await statusOfBrokenModule(`${printedUrl}/desk`), 'an error for the overlay').toBe(500);

    await signInForToken(url, 'amelia@example.test');
    utimesSync(join(projectDirectory, 'apps/server/src/main.ts'), new Date(), new Date());
    await expect.poll(() => output, { timeout: 120_000 }).toContain('Server restarted');
    await signInForToken(url, 'amelia@example.test');
  } finally {
    development.kill('SIGINT');
    await exited;
  }
  expect(existsSync(join(dataDirectory, 'postgres', 'PG_VERSION')), 'the database is in its own folder').toBe(
    true,
  );
  expect(existsSync(join(dataDirectory, 'postgres', 'postmaster.pid')), 'PostgreSQL is stopped').toBe(false);
  await expect(fetch(url)).rejects.toThrow();
}, 300_000);

/** Tries to sign in a staff member with a wrong password. @returns the status */
async function signInAtDesk(origin: string): Promise<number> {
  const { status } = await fetch(`${origin}/api/staff/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'no-one@example.test', password: 'not-the-password' }),
  });
  return status;
}

/** Requests a module of the desk that has a syntax error meanwhile. */
async function statusOfBrokenModule(deskUrl: string): Promise<number> {
  const file = join(projectDirectory, 'apps/desk/src/broken-by-a-test.ts');
  writeFileSync(file, 'const x = ;');
  try {
    return (await fetch(`${deskUrl}/src/broken-by-a-test.ts`)).status;
  } finally {
    rmSync(file);
  }
}
