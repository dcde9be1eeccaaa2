import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient, createTestServer, type TestServer } from '@keyturn/testkit';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

const password = 'turn-the-key-2026';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Serves clients who change their contact details, to the tests of a file. */
export function withEmailChanges() {
  const served = { server: {} as TestServer };
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keyturn-email-change-'));
    served.server = await createTestServer({
      env: { KEYTURN_DATA_DIR: folder, KEYTURN_PUBLIC_URL: 'https://clients.example.test' },
    });
  });
  afterAll(async () => {
    await served.server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await jobsDone();
    rmSync(join(folder, 'outbox'), { recursive: true, force: true });
  });

  async function send(method: Method, path: string, payload?: object, headers: object = {}) {
    const answer = await served.server.app.inject({
      method,
      url: `/api${path}`,
      headers: { ...headers },
      ...(payload ? { payload } : {}),
    });
    const { code, data, message } = answer.body ? answer.json() : {};
    return { status: answer.statusCode, code, data, message };
  }

  const rows = async (text: string, values: unknown[] = []) =>
    (await served.server.pool.query(text, values)).rows;

  const jobsDone = () =>
    expect
      .poll(async () => (await rows('select from graphile_worker.jobs where run_at <= now()')).length, {
        timeout: 10_000,
      })
      .toBe(0);

  /** Returns the emails to an address, decoded. */
  async function mailsTo(email: string): Promise<string[]> {
    await jobsDone();
    const outbox = join(folder, 'outbox');
    return readdirSync(outbox)
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .map((file) => readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', ''))
      .filter((mail) => new RegExp(`^To: .*${email}`, 'm').test(mail));
  }

  async function tokenIn(email: string, page: 'confirm-email' | 'review-email-change'): Promise<string> {
    const mail = (await mailsTo(email)).join();
    return new RegExp(`https://clients\\.example\\.test/${page}#([\\w-]{43})`).exec(mail)?.[1] ?? '';
  }

  let people = 0;
  async function buildSignedIn() {
    people += 1;
    const email = `former${people}@example.test`;
    const { id, reference } = await buildClient(served.server.database, { email, password });
    const headers = await served.server.signInAs(id, { isSteppedUp: true });
    const call = (method: Method, path: string, payload?: object) => send(method, path, payload, headers);
    return { id, reference, email, newEmail: `New.${people}@example.test`, call };
  }

  type SignedIn = Awaited<ReturnType<typeof buildSignedIn>>;
  const confirm = (token: string) => send('POST', '/email-change/confirm', { token });
  /** Asks for a change, and returns the tokens of the links to both addresses. */
  async function startChange({ email, newEmail, call }: SignedIn) {
    await call('POST', '/account/email', { email: newEmail });
    return {
      newToken: await tokenIn(newEmail, 'confirm-email'),
      formerToken: await tokenIn(email, 'review-email-change'),
    };
  }

  return {
    served,
    rows,
    send,
    mailsTo,
    tokenIn,
    buildSignedIn,
    startChange,
    /** Asks for a change that the former address has confirmed, and returns the tokens of both links. */
    startConfirmedByFormer: async (client: SignedIn) => {
      const tokens = await startChange(client);
      await confirm(tokens.formerToken);
      return tokens;
    },
    confirm,
    stop: (token: string) => send('POST', '/email-change/stop', { token }),
    login: async (email: string) => (await send('POST', '/login', { email, password })).status,
    emailOf: async (id: string) => (await rows('select email from clients where id = $1', [id]))[0].email,
  };
}
