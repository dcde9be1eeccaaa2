import { createHash } from 'node:crypto';
import { type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { buildCase, buildPayment, createTestFiles, withTestDatabase } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReceiptContent } from '../ports/printers.ts';
import { readReceipt } from './read-receipt.ts';
import { createStoredReceipts } from './stored-receipts.ts';

/** The firm's closing days, including the bank holidays. */
const closed_on = expect.arrayContaining(['2026-12-25', '2026-12-28']);

const firm = {
  name: 'Alder & Finch',
  sra_number: '600000',
  phone: '01632 960100',
  address: ['1 High Street', 'Frome'],
  opening_hours: 'Monday to Friday',
};

const testDatabase = withTestDatabase();
const files = createTestFiles();
afterAll(() => files.drop());
beforeAll(async () => {
  await testDatabase.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
});

/** A printer that records the receipts instead of printing them. */
function createPrinter() {
  const printed: ReceiptContent[] = [];
  const alerts: Record<string, unknown>[] = [];
  const print = async (receipt: ReceiptContent) => {
    printed.push(receipt);
    return Buffer.from(`%PDF ${printed.length}`);
  };
  const { database } = testDatabase;
  const createReceipts = () =>
    createStoredReceipts({
      database,
      files,
      printer: { print },
      clock: () => new Date('2026-05-04T10:00:00Z'),
      alertOperator: (_message, details) => alerts.push(details),
    });
  return {
    printed,
    alerts,
    dependencies: { database, receipts: createReceipts() },
    /** Another server on the same database and files. */
    otherServer: { database, receipts: createReceipts() },
  };
}

async function createPaidPayment(change: Partial<Parameters<typeof buildPayment>[1]> = {}) {
  const built = await buildCase(testDatabase.database, {
    clients: [
      { firstName: 'Amelia', lastName: 'Whitcombe', reference: `C-1-${Math.random()}` },
      { firstName: 'Tom', lastName: 'Whitcombe', reference: `C-2-${Math.random()}` },
    ],
  });
  const [amelia = '', tom = ''] = built.clientIds;
  const lines = [
    {
      text: 'Local authority search',
      net: 15_000,
      vat_rate: 20,
      vat: 3_000,
      gross: 18_000,
      client_money: true,
    },
  ];
  const payment = await buildPayment(testDatabase.database, {
    caseId: built.id,
    clientId: amelia,
    matterId: built.matterId,
    caseSearchId: built.caseSearchId,
    status: 'succeeded',
    paidAt: new Date('2026-05-04T09:00:00Z'),
    receiptNumber: `R-2026-${Math.random()}`,
    lines,
    ...change,
  });
  return { ...built, amelia, tom, payment, lines };
}

/** The rules for payments that the firm is stored with. */
const rules = { order_searches: 'cleared', payment_rules: expect.any(Object) };

describe('receipts', () => {
  test('a receipt names the firm, the payer, the purpose, the VAT and the card', async () => {
    const { dependencies, printed } = createPrinter();
    const { tom, payment, lines, reference } = await createPaidPayment({
      cardBrand: 'visa',
      cardLast4: '4242',
      reference: 'Invoice 7',
    });
    const file = await readReceipt(dependencies, { clientId: tom, paymentId: payment.id });
    expect(file).toEqual({
      content: Buffer.from('%PDF 1'),
      mediaType: 'application/pdf',
      fileName: `Receipt ${payment.receiptNumber}.pdf`,
    });
    expect(printed).toEqual([
      {
        firm: { ...firm, closed_on, ...rules },
        statutoryLine: '',
        receiptNumber: payment.receiptNumber,
        paidAt: new Date('2026-05-04T09:00:00Z'),
        // The early May bank holiday is not a working day.
        clearing: { is_cleared: false, on: '2026-05-07' },
        awaitsPayerCheck: false,
        method: 'card',
        payerName: 'Amelia Whitcombe',
        clientNames: ['Amelia Whitcombe', 'Tom Whitcombe'],
        caseReference: reference,
        property: 'The Old Chapel, Church Lane, Frome, BA11 1AA',
        description: 'Local authority search',
        bill: null,
        kind: 'search',
        lines,
        amount: 18_000,
        refundedAmount: 0,
        dispute: 'none',
        refunds: [],
        card: { brand: 'visa', last4: '4242', wallet: null },
        statementDescriptor: null,
        reference: 'Invoice 7',
        sandbox: true,
      },
    ]);
  });

  test('a receipt names the cardholder, or otherwise the client who confirmed the payment', async () => {
    const { dependencies, printed } = createPrinter();
    const named = await createPaidPayment({ ownCard: false, payerName: 'Grace Okafor' });
    await readReceipt(dependencies, { clientId: named.amelia, paymentId: named.payment.id });
    const confirmed = await createPaidPayment();
    await testDatabase.pool.query('update payments set confirmed_by = $2 where id = $1', [
      confirmed.payment.id,
      confirmed.tom,
    ]);
    await readReceipt(dependencies, { clientId: confirmed.amelia, paymentId: confirmed.payment.id });
    expect(printed.map(({ payerName }) => payerName)).toEqual(['Grace Okafor', 'Tom Whitcombe']);
  });

  test('a receipt includes refunds made after the payment', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment({
      status: 'partially_refunded',
      refundedAmount: 500,
    });
    await readReceipt(dependencies, { clientId: amelia, paymentId: payment.id });
    expect(printed[0]).toMatchObject({ amount: 18_000, refundedAmount: 500 });
  });

  test('a receipt says when the money cleared, and whose card it was', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment({ ownCard: false, payerName: 'Grace Okafor' });
    await testDatabase.pool.query(
      "update payments set clears_on = '2026-05-08', cleared_at = now() where id = $1",
      [payment.id],
    );
    await readReceipt(dependencies, { clientId: amelia, paymentId: payment.id });
    expect(printed[0]).toMatchObject({
      clearing: { is_cleared: true, on: '2026-05-08' },
      awaitsPayerCheck: true,
    });
  });

  test('a new receipt is created when the card’s bank asks about the payment, disputes it and withdraws the money', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    for (const status of ['inquiry', 'open', 'lost', 'won']) {
      await testDatabase.pool.query(
        'update payments set dispute_status = $2, dispute_amount = 100, dispute_opened_at = now() where id = $1',
        [payment.id, status],
      );
      await readReceipt(dependencies, request);
    }
    expect(printed.map(({ dispute }) => dispute)).toEqual(['inquiry', 'open', 'lost', 'none']);
  });

  test('a receipt is created once for all servers, and does not change with the firm', async () => {
    const { dependencies, otherServer, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    const [first, concurrent] = await Promise.all([
      readReceipt(dependencies, request),
      readReceipt(dependencies, request),
    ]);
    expect(printed).toHaveLength(1);
    await testDatabase.pool.query('update installation set firm = $1', [{ ...firm, name: 'Renamed' }]);
    const later = await readReceipt(otherServer, request);
    await testDatabase.pool.query('update installation set firm = $1', [firm]);
    expect([concurrent.content, later.content]).toEqual([first.content, first.content]);
    expect(printed).toHaveLength(1);
  });

  test('a later receipt names the firm and its VAT number as they were when the payment was made', async () => {
    const { dependencies, printed } = createPrinter();
    const supplier = { name: 'Alder & Finch LLP', address: ['3 Old Lane'], vat_number: 'GB 987 6543 21' };
    const { amelia, payment } = await createPaidPayment({ supplier });
    await readReceipt(dependencies, { clientId: amelia, paymentId: payment.id });
    expect(printed[0]?.firm).toEqual({ ...firm, closed_on, ...rules, ...supplier });
  });

  test('a payment gets another receipt after each refund, and keeps the earlier ones', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    await readReceipt(dependencies, request);
    await testDatabase.pool.query(
      "update payments set status = 'partially_refunded', refunded_amount = 500, last_cause = 'test' where id = $1",
      [payment.id],
    );
    expect((await readReceipt(dependencies, request)).content.toString()).toBe('%PDF 2');
    expect((await readReceipt(dependencies, request)).content.toString()).toBe('%PDF 2');
    expect(printed.map(({ refundedAmount }) => refundedAmount)).toEqual([0, 500]);
    const { rows } = await testDatabase.pool.query(
      'select refunded_amount from receipt_files where payment_id = $1 order by 1',
      [payment.id],
    );
    expect(rows).toEqual([{ refunded_amount: 0 }, { refunded_amount: 500 }]);
  });

  test('a payment gets another receipt once its money has cleared', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    await readReceipt(dependencies, request);
    await testDatabase.pool.query(
      "update payments set clears_on = '2026-05-07', cleared_at = now(), last_cause = 'test' where id = $1",
      [payment.id],
    );
    await readReceipt(dependencies, request);
    await readReceipt(dependencies, request);
    expect(printed.map(({ clearing }) => clearing?.is_cleared)).toEqual([false, true]);
  });

  test('a payment gets another receipt when the day on which its money clears changes', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    await readReceipt(dependencies, request);
    await testDatabase.pool.query(
      "update payments set clears_on = '2026-05-12', last_cause = 'test' where id = $1",
      [payment.id],
    );
    await readReceipt(dependencies, request);
    await readReceipt(dependencies, request);
    expect(printed.map(({ clearing }) => clearing?.on)).toEqual([expect.any(String), '2026-05-12']);
    expect(printed[0]?.clearing?.on).not.toBe('2026-05-12');
  });

  test('makes a new receipt that lists the failed refund of a payment', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    await readReceipt(dependencies, request);
    // The refund was made and failed between two reads, so the refunded amount is the same.
    await testDatabase.pool.query(
      `insert into refunds (id, payment_id, provider_refund_id, amount, status, last_cause, created_at, updated_at, failed_at)
       values (gen_random_uuid(), $1, 're_1', 600, 'failed', 'test', now(), now(), now())`,
      [payment.id],
    );
    await readReceipt(dependencies, request);
    await readReceipt(dependencies, request);
    expect(printed.map(({ refunds }) => refunds.length)).toEqual([0, 1]);
  });

  test('a receipt with an altered file is not sent, and the operator is alerted', async () => {
    const { dependencies, alerts, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment();
    const request = { clientId: amelia, paymentId: payment.id };
    const { content } = await readReceipt(dependencies, request);
    await files.tamper(createHash('sha256').update(content).digest('hex'), () => Buffer.from('%PDF 9'));
    await expect(readReceipt(dependencies, request)).rejects.toMatchObject({ code: 'document_damaged' });
    expect(alerts).toMatchObject([{ payment: payment.id, reason: 'the file was altered' }]);
    expect(printed).toHaveLength(1);
    await files.lose(createHash('sha256').update(content).digest('hex'));
  });

  const unpaid = paymentStatuses.filter((status) => !/succeeded|refunded/.test(status));
  test.each(unpaid satisfies PaymentStatus[])(
    'there is no receipt for a payment in status %s',
    async (status) => {
      const { dependencies, printed } = createPrinter();
      const { amelia, payment } = await createPaidPayment({ status, receiptNumber: null });
      await expect(
        readReceipt(dependencies, { clientId: amelia, paymentId: payment.id }),
      ).rejects.toMatchObject({ code: 'not_found' });
      expect(printed).toEqual([]);
    },
  );

  test('a client who is not on the case cannot get the receipt', async () => {
    const { dependencies, printed } = createPrinter();
    const { payment } = await createPaidPayment();
    const stranger = await buildCase(testDatabase.database);
    await expect(
      readReceipt(dependencies, { clientId: stranger.clientId, paymentId: payment.id }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(printed).toEqual([]);
  });
});
