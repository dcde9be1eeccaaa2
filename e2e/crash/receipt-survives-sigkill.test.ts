import { createServer, type Server } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { signInToApi } from '../harness/api-client.ts';
import { connectToProductDatabase } from '../harness/product-database.ts';
import { type RunningProduct, removeDataDirectory, startProduct } from '../harness/start-product.ts';

let product: RunningProduct | undefined;
let post: Server | undefined;
afterAll(async () => {
  await product?.stop();
  post?.close();
  if (product) removeDataDirectory(product.dataDirectory);
});

test('fault 5: a server killed after the mail server accepted a receipt sends it again with the same Message-ID', async () => {
  const letters: string[] = [];
  const opened = await listen(async (letter) => {
    // The sign-in on a new device has an email, too.
    if (!receiptId.test(letter)) return;
    letters.push(letter);
    // The mail server has accepted the email, but the server never receives the acknowledgement.
    if (letters.length === 1) await product?.kill();
  });
  post = opened.server;
  const env = {
    KEYTURN_SMTP_URL: `smtp://127.0.0.1:${opened.port}?ignoreTLS=true`,
    KEYTURN_MAIL_FROM: 'no-reply@alder.example',
    KEYTURN_PUBLIC_URL: 'http://127.0.0.1',
  };
  product = await startProduct({ env });
  const { dataDirectory, url } = product;
  const amelia = await signInToApi(() => url, 'amelia@example.test');
  const database = await connectToProductDatabase(dataDirectory);
  const { rows } = await database.query(
    "select id from case_searches where status = 'awaiting_payment' order by reference limit 1",
  );
  const begun = await amelia.call('POST', `/case-searches/${rows[0].id}/payments`, {
    order_now: true,
    order_wording: '2026-12-before-end',
    own_card: true,
  });
  if (begun === 'unknown') throw new Error('the payment was not started');
  const { client_secret } = (begun.body as { data: { client_secret: string } }).data;
  await amelia.call('POST', `/sandbox/payment-intents/${client_secret.split('_secret')[0]}/confirm`, {
    client_secret,
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2035, cvc: '123' },
  });
  await expect.poll(() => letters.length, { timeout: 30_000 }).toBe(1);
  await expect.poll(() => product?.process.signalCode, { timeout: 10_000 }).toBe('SIGKILL');
  // The dead server's lock expires after a minute; the test expires it immediately.
  await database.query(
    "update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes' where locked_by is not null",
  );
  await database.end();

  product = await startProduct({ dataDirectory, env });
  await expect.poll(() => letters.length, { timeout: 30_000 }).toBe(2);
  const ids = letters.map((letter) => receiptId.exec(letter)?.[1]);
  expect(ids[0]).toBeDefined();
  expect(ids[1]).toBe(ids[0]);
  const again = await connectToProductDatabase(dataDirectory);
  const left = async () =>
    (
      await again.query(
        `select (select count(*)::int from payment_mails where sent_at is null) as unsent,
           (select count(*)::int from graphile_worker.jobs where task_identifier = 'send-payment-mail') as jobs`,
      )
    ).rows[0];
  await expect.poll(left, { timeout: 10_000 }).toEqual({ unsent: 0, jobs: 0 });
  await again.end();
  expect(letters).toHaveLength(2);
}, 150_000);

const receiptId = /^Message-ID:\s+(<payment-receipt-[^>]+>)/m;

/** The part of SMTP (RFC 5321) that an email needs. @param take receives each email before it is acknowledged */
async function listen(take: (letter: string) => Promise<void>) {
  const server = createServer((socket) => {
    let rest = '';
    let letter: string | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (letter !== undefined && line !== '.') letter += `${line}\n`;
        else if (letter !== undefined) {
          void take(letter).then(() => say('250 taken'));
          letter = undefined;
        } else if (/^DATA/i.test(line)) {
          letter = '';
          say('354 continue');
        } else say(/^QUIT/i.test(line) ? '221 bye' : '250 well');
      }
    });
    say('220 sample');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, port: address.port };
}
