import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildCase,
  createPaymentWorld,
  intentOf,
  sandboxCard,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMailer } from '../../../adapters/mail/create-mailer.ts';
import { createReceiptPrinter } from '../../../adapters/pdf/create-receipt-printer.ts';
import type { Mail, Mailer } from '../../../platform/mailer.ts';
import { payableCases } from '../../conveyancing-case/payable-cases.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import type { PaymentProvider } from '../ports.ts';
import { syncPaymentFromProvider } from '../provider/sync-payment.ts';
import { readPayment } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { paymentMailHandler } from './payment-mails.ts';

const firm = {
  name: "O'Finch & Søns <Conveyancing>",
  sra_number: '000000',
  phone: '0117 496 0100',
  address: ['12 Queen Square', 'Bristol BS1 4NT'],
  opening_hours: 'Monday to Friday',
};

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-receipts-'));
  await testDatabase.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const outbox = createOutbox();
/** The real mailer, and what it was given. */
function createOutbox() {
  const given: Mail[] = [];
  const mailer = (): Mailer =>
    createMailer({
      smtpUrl: null,
      outbox: folder,
      from: 'no-reply@alder.example',
      clock: () => new Date(),
      letterhead: async () => ({ ...firm, sraNumber: firm.sra_number }),
    });
  return { given, mailer };
}
const letters = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
/** The words of a letter, whatever its encoding. */
const wordsOf = (letter: string) =>
  letter
    .split(/--[-_\w.]+Part[-_\w.]*|\r\n--[^\r\n]+\r\n/)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const text = body.join('\r\n\r\n');
      if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8');
      const bytes = text
        .replaceAll('=\r\n', '')
        .replaceAll(/(=[0-9A-F]{2})+/g, (run) =>
          Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'),
        );
      return bytes;
    })
    .join('\n');

/** Does the mail jobs that wait, as the queue would. A job that fails stays. */
async function post(mailer: Mailer = outbox.mailer()) {
  const handler = paymentMailHandler({
    database: testDatabase.database,
    mailer,
    cases: payableCases,
    receipts: createReceiptPrinter(),
    clock: () => new Date(),
    dashboardUrl: () => 'https://clients.example.test',
  });
  const { rows } = await testDatabase.pool.query(
    `select j.id, j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'send-payment-mail' order by j.id`,
  );
  for (const { id, payload } of rows) {
    await handler.work(payload);
    await testDatabase.pool.query('delete from graphile_worker._private_jobs where id = $1', [id]);
  }
  return rows.length;
}

async function begin(
  options: {
    names?: { firstName: string; lastName: string };
    receiptEmail?: string;
    provider?: (real: PaymentProvider) => Partial<PaymentProvider>;
  } = {},
) {
  const world = createPaymentWorld(testDatabase, options.provider ? { provider: options.provider } : {});
  const { clientIds, caseSearchId, id } = await buildCase(testDatabase.database, {
    clients: [
      { ...options.names, email: 'amelia@example.test' },
      { firstName: 'Tom', email: 'tom@example.test' },
    ],
  });
  const [clientId = '', otherId = ''] = clientIds;
  const take = (payer: string, receipt_email?: string) =>
    startSearchPayment(world.dependencies, {
      clientId: payer,
      caseSearchId,
      confirmed: { own_card: true, ...(receipt_email ? { receipt_email } : {}) },
      idempotencyKey: undefined,
    });
  const { client_secret, payment_id } = await take(clientId, options.receiptEmail);
  const pay = async (number?: string) => {
    await world.intents.confirm(intentOf(client_secret), sandboxCard(number));
    for (const event of await world.eventsOf(intentOf(client_secret)))
      await handleWebhookEvent(world.dependencies, event);
  };
  return {
    ...world,
    intentId: intentOf(client_secret),
    paymentId: payment_id,
    caseId: id,
    clientId,
    otherId,
    take,
    pay,
  };
}

describe('the receipt of a payment', () => {
  test('is mailed once with its PDF to the one who paid, however often the webhooks come', async () => {
    const payment = await begin();
    expect(await post()).toBe(0);
    await payment.pay();
    await payment.pay();
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await readPayment(testDatabase.database, payment.clientId, payment.paymentId)).toMatchObject({
      receipt_mail: { to: 'amelia@example.test', sent_at: null },
    });
    expect(await post()).toBe(1);
    const [letter = '', ...others] = letters();
    expect(others).toEqual([]);
    expect(letter).toMatch(/^To: Rowan Ashdown <amelia@example\.test>\r$/m);
    expect(letter).toMatch(/^Subject: (=\?UTF-8\?Q\?Test_payment|Test payment)/m);
    expect(letter).toMatch(
      new RegExp(`^Message-ID:\\s+<payment-receipt-${payment.paymentId}-1@alder\\.example>\r$`, 'm'),
    );
    expect(letter).toMatch(/filename="Receipt R-\d{4}-000001\.pdf"/);
    expect(
      Buffer.from(letter.split('application/pdf')[1]?.split('\r\n\r\n')[1] ?? '', 'base64').subarray(0, 5),
    ).toEqual(Buffer.from('%PDF-'));
    const said = wordsOf(letter);
    for (const words of [
      'Hello Rowan,',
      'Your payment of £180.00 has been made',
      'This was a test payment. No money has moved.',
      'Visa ending 4242',
      'Local authority search',
      '0117 496 0100',
      'We will never email you bank details, or ask you by email to change them.',
    ]) {
      expect(said).toContain(words);
    }
    expect(said).toContain("O'Finch & Søns <Conveyancing>");
    expect(said).toContain('O&#39;Finch &#38; Søns &#60;Conveyancing&#62;');
    expect(said).not.toMatch(/sort code|account number/i);
    const own = await readPayment(testDatabase.database, payment.clientId, payment.paymentId);
    expect(own.receipt_mail?.sent_at).not.toBeNull();
    const readByTom = await readPayment(testDatabase.database, payment.otherId, payment.paymentId);
    expect(readByTom.receipt_mail).toBeNull();
  });

  test('goes where the one who confirmed last asked, and never where the other owner did', async () => {
    const payment = await begin({ receiptEmail: 'amelia@work.test' });
    await payment.take(payment.otherId);
    await payment.pay();
    await post();
    const [letter = ''] = letters();
    expect(letter).toMatch(/^To: Tom Ashdown <tom@example\.test>\r$/m);
    expect(letter).not.toContain('amelia@');
  });

  test('at an address that is not the client’s own greets nobody by name', async () => {
    const payment = await begin({ receiptEmail: "o'brien+receipts@xn--80ak6aa92e.example" });
    await payment.pay();
    await post();
    const [letter = ''] = letters();
    expect(letter).toMatch(/^To: o'brien\+receipts@xn--80ak6aa92e\.example\r$/m);
    expect(wordsOf(letter)).toContain('Hello,');
  });

  test.each([
    ["Siân O'Brien", 'Ó’Neill-Łukasiewicz'],
    ['李', '小龍'],
    ['محمد', 'الفارسي'],
    ['Eve\r\nBcc: thief@example.test', 'Bcc: <thief@example.test>, "x"'],
    ['<script>alert(1)</script>', '{{7*7}} %0d%0aBcc:'],
  ])('is for %j %j letter by letter, with nothing of it in the protocol', async (firstName, lastName) => {
    const payment = await begin({ names: { firstName, lastName } });
    await payment.pay();
    await post();
    const [letter = ''] = letters();
    const [head = ''] = letter.split('\r\n\r\n');
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head.match(/^To:/gm)).toHaveLength(1);
    expect(wordsOf(letter)).toContain(firstName.replaceAll('\r\n', '\n').split('\n')[0]?.slice(0, 8));
    expect(wordsOf(letter)).not.toContain('<script>alert(1)</script></p>');
  });

  test('is asked for in the transaction that pays, and goes with it', async () => {
    const payment = await begin();
    const dying = {
      ...payment.dependencies,
      history: { record: () => Promise.reject(new Error('the server dies here')) },
    };
    await payment.intents.confirm(payment.intentId, sandboxCard());
    await expect(syncPaymentFromProvider(dying, payment.intentId, { name: 'webhook' })).rejects.toThrow(
      'dies here',
    );
    expect(await post()).toBe(0);
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'webhook' });
    expect(await post()).toBe(1);
  });

  test('fault 5: sent before the worker died, is sent again under the same Message-ID and stands once in the outbox', async () => {
    const payment = await begin();
    await payment.pay();
    const sentIds: string[] = [];
    const sending: Mailer = {
      send: async (mail) => {
        const messageId = await outbox.mailer().send(mail);
        sentIds.push(messageId);
        return messageId;
      },
    };
    const dying: Mailer = {
      send: async (mail) => {
        await sending.send(mail);
        throw new Error('the worker dies before it has written that down');
      },
    };
    await expect(post(dying)).rejects.toThrow('the worker dies');
    expect(await post(sending)).toBe(1);
    expect(sentIds).toHaveLength(2);
    expect(new Set(sentIds).size).toBe(1);
    expect(letters()).toHaveLength(1);
    // Once written down, it is never sent again.
    await testDatabase.pool.query(
      `select graphile_worker.add_job('send-payment-mail', json_build_object('paymentId', payment_id, 'kind', kind, 'occasion', occasion)) from payment_mails`,
    );
    expect(await post(sending)).toBe(1);
    expect(sentIds).toHaveLength(2);
  });
});

describe('what comes after a payment', () => {
  /** A provider whose intents are refunded, or refused late, as the test says. */
  const changed = (change: { refundedAmount?: number; refused?: boolean }) => (real: PaymentProvider) => ({
    retrieveIntent: async (id: string) => {
      const intent = await real.retrieveIntent(id);
      const { refundedAmount, refused } = change;
      return {
        ...intent,
        revision: null,
        ...(refundedAmount === undefined ? {} : { refundedAmount }),
        ...(refused
          ? {
              status: 'requires_payment_method' as const,
              error: { code: 'card_declined', message: 'The card was declined.' },
            }
          : {}),
      };
    },
  });

  test('is mailed for a part that was given back and for the rest, each once, with the amount of each', async () => {
    const change: { refundedAmount?: number } = {};
    const payment = await begin({ provider: changed(change) });
    await payment.pay();
    await post();
    for (const refundedAmount of [5_000, 5_000, 18_000]) {
      change.refundedAmount = refundedAmount;
      await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    }
    expect(await post()).toBe(2);
    const said = letters().map(wordsOf).join('\n');
    expect(letters()).toHaveLength(3);
    expect(said).toContain('We have paid back £50.00 of the £180.00 that you paid.');
    expect(said).toContain('We have paid back £130.00 of the £180.00 that you paid.');
  });

  test('is mailed where the bank was still confirming and then refused, and not where the refusal came at once', async () => {
    const change: { refused?: boolean } = {};
    const payment = await begin({ provider: changed(change) });
    await payment.pay('4000000000000002');
    expect(await post()).toBe(0);
    await payment.pay('4000000000000077');
    expect(await post()).toBe(0);
    change.refused = true;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await post()).toBe(1);
    const [letter = ''] = letters();
    expect(letter).not.toContain('application/pdf');
    expect(wordsOf(letter)).toContain('It did not go through after all.');
    expect(wordsOf(letter)).toContain('You have not been charged.');
  });

  test('is not told of a payment that went through before that could be said', async () => {
    const change: { refused?: boolean } = { refused: false };
    const payment = await begin({ provider: changed(change) });
    await payment.pay('4000000000000077');
    change.refused = true;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    await testDatabase.pool.query("update sandbox_intents set status = 'succeeded' where id = $1", [
      payment.intentId,
    ]);
    change.refused = false;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await post()).toBe(2);
    expect(letters()).toHaveLength(1);
    expect(letters()[0]).toContain('payment-receipt-');
  });
});
