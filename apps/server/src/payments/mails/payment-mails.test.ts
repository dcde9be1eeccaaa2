import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bankDetailsAdvice } from '@keyturn/format/bank-details-advice';
import {
  buildCase,
  createPaymentWorld,
  createTestFiles,
  intentOf,
  ownCard,
  sandboxCard,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMailer } from '../../adapters/mail/create-mailer.ts';
import { createReceiptPrinter } from '../../adapters/pdf/create-receipt-printer.ts';
import { paymentHistory } from '../../case-file/history/record-payment.ts';
import { changeFirmDetails, readFirmDetails } from '../../firm/firm-details.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { runQueuedJobs } from '../../testing/run-queued-jobs.ts';
import { cancelPayment } from '../checkout/cancel-payment.ts';
import { startSearchPayment } from '../checkout/start-search-payment.ts';
import { syncPaymentFromProvider } from '../intents/sync-payment.ts';
import type { ReceiptContent } from '../ports/printers.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { readReceipt } from '../receipts/read-receipt.ts';
import { createStoredReceipts } from '../receipts/stored-receipts.ts';
import { readPayment } from '../records/read-payment.ts';
import { handleWebhookEvent } from '../webhooks/handle-webhook-event.ts';
import { paymentMailHandler } from './payment-mails.ts';

const firm = {
  name: "O'Finch & Søns <Conveyancing>",
  sra_number: '000000',
  phone: '0117 496 0100',
  address: ['12 Queen Square', 'Bristol BS1 4NT'],
  opening_hours: 'Monday to Friday',
  vat_number: 'GB 123 4567 89',
  order_cutoff: '15:00',
  closed_on: [],
};

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-receipts-'));
  await testDatabase.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const outbox = createOutbox();
/** The real mailer, which writes into a temporary folder. */
function createOutbox() {
  const mailer = (): Mailer =>
    createMailer({
      smtpUrl: null,
      outbox: folder,
      from: 'no-reply@alder.example',
      clock: () => new Date(),
      letterhead: async () => ({
        ...firm,
        bankDetails: bankDetailsAdvice,
        statutoryLine: '',
        dashboardAddress: '',
      }),
    });
  return { mailer };
}
const readMails = () =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
/** The text of an email with its transfer encodings decoded. */
const textOf = (mail: string) =>
  mail
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

const files = createTestFiles();
afterAll(() => files.drop());

function runMailJobs(mailer: Mailer = outbox.mailer()): Promise<number> {
  const handler = paymentMailHandler({
    database: testDatabase.database,
    mailer,
    receipts: createStoredReceipts({
      database: testDatabase.database,
      files,
      printer: createReceiptPrinter(),
      clock: () => new Date(),
      alertOperator: () => {},
    }),
    clock: () => new Date(),
    dashboardUrl: () => 'https://clients.example.test',
  });
  return runQueuedJobs(testDatabase.pool, 'send-payment-mail', handler.work);
}

async function startPayment(
  options: {
    names?: { firstName: string; lastName: string };
    receiptEmail?: string;
    /** The domain of the clients’ email addresses. */
    domain?: string;
    provider?: (provider: PaymentProvider) => Partial<PaymentProvider>;
  } = {},
) {
  const world = createPaymentWorld(testDatabase, options.provider ? { provider: options.provider } : {});
  const { clientIds, caseSearchId, id } = await buildCase(testDatabase.database, {
    clients: [
      { ...options.names, email: `amelia@${options.domain ?? 'example.test'}` },
      { firstName: 'Tom', email: `tom@${options.domain ?? 'example.test'}` },
    ],
  });
  const [clientId = '', otherId = ''] = clientIds;
  const start = (payerId: string, receipt_email?: string) =>
    startSearchPayment(world.dependencies, {
      clientId: payerId,
      caseSearchId,
      confirmed: { ...ownCard, ...(receipt_email ? { receipt_email } : {}) },
      idempotencyKey: undefined,
    });
  const { client_secret, payment_id } = await start(clientId, options.receiptEmail);
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
    start,
    pay,
  };
}

const readAs = (clientId: string, paymentId: string) =>
  readPayment(paymentId).forClient(testDatabase.database, clientId);

describe('a receipt after the firm has changed its name at the desk', () => {
  test('a receipt names the firm as it was when its payment was made, and the next receipt has the new name', async () => {
    const { database } = testDatabase;
    const printed: ReceiptContent[] = [];
    const print = async (receipt: ReceiptContent) => Buffer.from(`%PDF ${printed.push(receipt)}`);
    const clock = () => new Date();
    const receipts = createStoredReceipts({
      database,
      files,
      printer: { print },
      clock,
      alertOperator: () => {},
    });
    const receiptOf = async ({ clientId, paymentId }: { clientId: string; paymentId: string }) => {
      await readReceipt({ database, receipts }, { clientId, paymentId });
      return printed.at(-1)?.firm;
    };
    const earlier = await startPayment();
    await earlier.pay();
    const { version } = await readFirmDetails(database);
    const by = { actor: { kind: 'staff', id: '1', name: 'Dana Price' }, address: '203.0.113.7' } as const;
    const value = { ...firm, name: 'Finch Law', address: ['1 New Road'], phone: '0117 496 0999' };
    await changeFirmDetails({ database, clock }, { version, value }, by);
    const next = await startPayment({ domain: 'next.test' });
    await next.pay();
    expect(await receiptOf(next)).toMatchObject({ name: 'Finch Law', address: ['1 New Road'] });
    // Created at this point, with the firm's current telephone number.
    expect(await receiptOf(earlier)).toMatchObject({
      name: firm.name,
      address: firm.address,
      phone: '+441174960999',
    });
  });
});

describe('the receipt email', () => {
  test('sends the receipt with its PDF once to the client who paid, even when webhooks are repeated', async () => {
    const payment = await startPayment();
    expect(await runMailJobs()).toBe(0);
    await payment.pay();
    await payment.pay();
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await readAs(payment.clientId, payment.paymentId)).toMatchObject({
      receipt_mail: { to: 'amelia@example.test', sent_at: null },
      supplier: { name: firm.name, address: firm.address, vat_number: firm.vat_number },
    });
    expect(await runMailJobs()).toBe(1);
    const [mail = '', ...others] = readMails();
    expect(others).toEqual([]);
    expect(mail).toMatch(/^To: Rowan Ashdown <amelia@example\.test>\r$/m);
    expect(mail).toMatch(/^Subject: (=\?UTF-8\?Q\?Test_payment|Test payment)/m);
    expect(mail).toMatch(
      new RegExp(`^Message-ID:\\s+<payment-receipt-${payment.paymentId}-1@alder\\.example>\r$`, 'm'),
    );
    expect(mail).toMatch(/filename="Receipt R-\d{4}-000001\.pdf"/);
    expect(
      Buffer.from(mail.split('application/pdf')[1]?.split('\r\n\r\n')[1] ?? '', 'base64').subarray(0, 5),
    ).toEqual(Buffer.from('%PDF-'));
    const text = textOf(mail);
    for (const words of [
      'Hello Rowan,',
      'We’ve received your payment of £180.00',
      'This was a test payment. No money has moved.',
      'Visa ending 4242',
      'Local authority search',
      '0117 496 0100',
      'If anyone tells you that our bank details have changed, do not pay.',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).toContain("O'Finch & Søns <Conveyancing>");
    expect(text).toContain('O&#39;Finch &#38; Søns &#60;Conveyancing&#62;');
    expect(text).not.toMatch(/sort code|account number/i);
    const own = await readAs(payment.clientId, payment.paymentId);
    expect(own.receipt_mail?.sent_at).not.toBeNull();
    const readByTom = await readAs(payment.otherId, payment.paymentId);
    expect(readByTom.receipt_mail).toBeNull();
  });

  test('sends the receipt to the client who took over, not to the address that the other client entered', async () => {
    const payment = await startPayment({ receiptEmail: 'amelia@work.test' });
    await cancelPayment(payment.dependencies, payment);
    const { client_secret } = await payment.start(payment.otherId);
    await payment.intents.confirm(intentOf(client_secret), sandboxCard());
    for (const event of await payment.eventsOf(intentOf(client_secret)))
      await handleWebhookEvent(payment.dependencies, event);
    await runMailJobs();
    const [mail = ''] = readMails();
    expect(mail).toMatch(/^To: Tom Ashdown <tom@example\.test>\r$/m);
    expect(mail).not.toContain('amelia@');
  });

  test('a receipt email to an address that no client on the case has says nothing about client, case, search or card', async () => {
    const payment = await startPayment({ receiptEmail: "o'brien+receipts@xn--80ak6aa92e.example" });
    await payment.pay();
    await runMailJobs();
    const [mail = ''] = readMails();
    expect(mail).toMatch(/^To: o'brien\+receipts@xn--80ak6aa92e\.example\r$/m);
    const text = textOf(mail);
    expect(text).toContain('Hello,');
    expect(text).toMatch(/Receipt R-\d{4}-\d{6}/);
    expect(text).toContain('£180.00');
    expect(`${mail}${text}`).not.toMatch(
      /application\/pdf|Local authority|Amelia|Whitcombe|Visa|4242|KT-|Case|Property|clients\.example\.test\//,
    );
  });

  test('a receipt email to the joint client’s address has the whole receipt', async () => {
    const payment = await startPayment({ receiptEmail: 'Tom@example.test' });
    await payment.pay();
    await runMailJobs();
    const [mail = ''] = readMails();
    expect(mail).toContain('application/pdf');
    expect(textOf(mail)).toContain('Local authority search');
  });

  test.each([
    ["Siân O'Brien", 'Ó’Neill-Łukasiewicz'],
    ['李', '小龍'],
    ['محمد', 'الفارسي'],
    ['Eve\r\nBcc: thief@example.test', 'Bcc: <thief@example.test>, "x"'],
    ['<script>alert(1)</script>', '{{7*7}} %0d%0aBcc:'],
  ])(
    'sends a receipt to a client named %j %j without letting the name inject headers or markup',
    async (firstName, lastName) => {
      const payment = await startPayment({ names: { firstName, lastName } });
      await payment.pay();
      await runMailJobs();
      const [mail = ''] = readMails();
      const [head = ''] = mail.split('\r\n\r\n');
      expect(head).not.toMatch(/^Bcc:/im);
      expect(head.match(/^To:/gm)).toHaveLength(1);
      expect(textOf(mail)).toContain(firstName.replaceAll('\r\n', '\n').split('\n')[0]?.slice(0, 8));
      expect(textOf(mail)).not.toContain('<script>alert(1)</script></p>');
    },
  );

  test('rolls the receipt email back together with a payment that fails to commit', async () => {
    const payment = await startPayment();
    vi.spyOn(paymentHistory, 'record').mockRejectedValueOnce(new Error('the server stops here'));
    await payment.intents.confirm(payment.intentId, sandboxCard());
    await expect(
      syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'webhook' }),
    ).rejects.toThrow('stops here');
    expect(await runMailJobs()).toBe(0);
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'webhook' });
    expect(await runMailJobs()).toBe(1);
  });

  test('fault 5: an email is sent again under the same Message-ID when the worker dies before recording it, and the outbox contains it once', async () => {
    const payment = await startPayment();
    await payment.pay();
    const sentIds: string[] = [];
    const sending: Mailer = {
      send: async (mail) => {
        const messageId = await outbox.mailer().send(mail);
        sentIds.push(messageId);
        return messageId;
      },
    };
    const crashing: Mailer = {
      send: async (mail) => {
        await sending.send(mail);
        throw new Error('the worker dies before it records the mail');
      },
    };
    await expect(runMailJobs(crashing)).rejects.toThrow('the worker dies');
    expect(await runMailJobs(sending)).toBe(1);
    expect(sentIds).toHaveLength(2);
    expect(new Set(sentIds).size).toBe(1);
    expect(readMails()).toHaveLength(1);
    // Once recorded as sent, it is never sent again.
    await testDatabase.pool.query(
      `select graphile_worker.add_job('send-payment-mail', json_build_object('paymentId', payment_id, 'kind', kind, 'occasion', occasion)) from payment_mails`,
    );
    expect(await runMailJobs(sending)).toBe(1);
    expect(sentIds).toHaveLength(2);
  });
});

describe('emails after a payment', () => {
  /** A provider that declines intents late, as the test configures. */
  const withChange = (change: { declined?: boolean }) => (provider: PaymentProvider) => ({
    retrieveIntent: async (id: string) => {
      const intent = await provider.retrieveIntent(id);
      const { declined } = change;
      return {
        ...intent,
        revision: null,
        ...(declined
          ? {
              status: 'requires_payment_method' as const,
              error: { code: 'card_declined', message: 'The card was declined.' },
            }
          : {}),
      };
    },
  });

  test('sends one email for each refund, including for two of the same amount, each with its own amount', async () => {
    const payment = await startPayment();
    await payment.pay();
    await runMailJobs();
    const { intents, intentId } = payment;
    for (const [key, amount] of [
      ['one', 5_000],
      ['two', 6_500],
      ['three', 6_500],
    ] as const) {
      await intents.refund(intentId, { amount, reason: 'duplicate', idempotencyKey: `${intentId}-${key}` });
      await syncPaymentFromProvider(payment.dependencies, intentId, { name: 'reconciliation' });
      await syncPaymentFromProvider(payment.dependencies, intentId, { name: 'reconciliation' });
    }
    expect(await runMailJobs()).toBe(3);
    const text = readMails().map(textOf).join('\n');
    expect(readMails()).toHaveLength(4);
    expect(text).toContain('We refunded £50.00 of the £180.00 you paid.');
    expect(text.split('We refunded £65.00 of the £180.00 you paid.').length).toBeGreaterThan(2);
  });

  test('reports a failed payment by email if the bank declined it late, but not if it was declined immediately', async () => {
    const change: { declined?: boolean } = {};
    const payment = await startPayment({ provider: withChange(change) });
    await payment.pay('4000000000000002');
    expect(await runMailJobs()).toBe(0);
    await payment.pay('4000000000000077');
    expect(await runMailJobs()).toBe(0);
    change.declined = true;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await runMailJobs()).toBe(1);
    const [mail = ''] = readMails();
    expect(mail).not.toContain('application/pdf');
    expect(textOf(mail)).toContain('In the end it didn’t go through.');
    expect(textOf(mail)).toContain('You have not been charged.');
  });

  test('does not report a failed payment by email once the payment has succeeded', async () => {
    const change: { declined?: boolean } = { declined: false };
    const payment = await startPayment({ provider: withChange(change) });
    await payment.pay('4000000000000077');
    change.declined = true;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    await testDatabase.pool.query("update sandbox_intents set status = 'succeeded' where id = $1", [
      payment.intentId,
    ]);
    change.declined = false;
    await syncPaymentFromProvider(payment.dependencies, payment.intentId, { name: 'reconciliation' });
    expect(await runMailJobs()).toBe(2);
    expect(readMails()).toHaveLength(1);
    expect(readMails()[0]).toContain('payment-receipt-');
  });
});
