import { type PaymentStatus, paymentStatuses } from '@keyturn/contract';
import { buildCase, buildPayment, withTestDatabase } from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { payableCases } from '../../conveyancing-case/payable-cases.ts';
import type { ReceiptContent } from '../ports.ts';
import { printReceipt } from './print-receipt.ts';

const firm = {
  name: 'Alder & Finch',
  sra_number: '600000',
  phone: '01632 960100',
  address: ['1 High Street', 'Frome'],
  opening_hours: 'Monday to Friday',
};

const testDatabase = withTestDatabase();
beforeAll(async () => {
  await testDatabase.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
});

/** A printer that records the receipts instead of printing them. */
function createPrinter() {
  const printed: ReceiptContent[] = [];
  const print = async (receipt: ReceiptContent) => {
    printed.push(receipt);
    return Buffer.from('%PDF');
  };
  return {
    printed,
    dependencies: { database: testDatabase.database, cases: payableCases, receipts: { print } },
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

describe('receipts', () => {
  test('a receipt names the firm, the payer, the purpose, the VAT and the card', async () => {
    const { dependencies, printed } = createPrinter();
    const { tom, payment, lines, reference } = await createPaidPayment({
      cardBrand: 'visa',
      cardLast4: '4242',
      reference: 'Invoice 7',
    });
    const file = await printReceipt(dependencies, { clientId: tom, paymentId: payment.id });
    expect(file).toEqual({
      content: Buffer.from('%PDF'),
      mediaType: 'application/pdf',
      fileName: `Receipt ${payment.receiptNumber}.pdf`,
    });
    expect(printed).toEqual([
      {
        firm,
        receiptNumber: payment.receiptNumber,
        paidAt: new Date('2026-05-04T09:00:00Z'),
        payerName: 'Amelia Whitcombe',
        clientNames: ['Amelia Whitcombe', 'Tom Whitcombe'],
        caseReference: reference,
        property: 'The Old Chapel, Church Lane, Frome, BA11 1AA',
        description: 'Local authority search',
        lines,
        amount: 18_000,
        refundedAmount: 0,
        card: { brand: 'visa', last4: '4242' },
        reference: 'Invoice 7',
        sandbox: true,
      },
    ]);
  });

  test('a receipt names the card holder, or else the client who confirmed last', async () => {
    const { dependencies, printed } = createPrinter();
    const named = await createPaidPayment({ ownCard: false, payerName: 'Grace Okafor' });
    await printReceipt(dependencies, { clientId: named.amelia, paymentId: named.payment.id });
    const confirmed = await createPaidPayment();
    await testDatabase.pool.query('update payments set confirmed_by = $2 where id = $1', [
      confirmed.payment.id,
      confirmed.tom,
    ]);
    await printReceipt(dependencies, { clientId: confirmed.amelia, paymentId: confirmed.payment.id });
    expect(printed.map(({ payerName }) => payerName)).toEqual(['Grace Okafor', 'Tom Whitcombe']);
  });

  test('a receipt includes refunds made after the payment', async () => {
    const { dependencies, printed } = createPrinter();
    const { amelia, payment } = await createPaidPayment({
      status: 'partially_refunded',
      refundedAmount: 500,
    });
    await printReceipt(dependencies, { clientId: amelia, paymentId: payment.id });
    expect(printed[0]).toMatchObject({ amount: 18_000, refundedAmount: 500 });
  });

  const unpaid = paymentStatuses.filter((status) => !/succeeded|refunded/.test(status));
  test.each(unpaid satisfies PaymentStatus[])(
    'there is no receipt for a payment in status %s',
    async (status) => {
      const { dependencies, printed } = createPrinter();
      const { amelia, payment } = await createPaidPayment({ status, receiptNumber: null });
      await expect(
        printReceipt(dependencies, { clientId: amelia, paymentId: payment.id }),
      ).rejects.toMatchObject({ code: 'not_found' });
      expect(printed).toEqual([]);
    },
  );

  test('a client who is not on the case cannot get the receipt', async () => {
    const { dependencies, printed } = createPrinter();
    const { payment } = await createPaidPayment();
    const stranger = await buildCase(testDatabase.database);
    await expect(
      printReceipt(dependencies, { clientId: stranger.clientId, paymentId: payment.id }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(printed).toEqual([]);
  });
});
