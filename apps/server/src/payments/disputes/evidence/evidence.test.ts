import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPdf } from '@keyturn/pdf/testing';
import {
  buildCase,
  createPaymentWorld,
  createTestClock,
  sandboxCard,
  startTestPayment,
  withTestDatabase,
} from '@keyturn/testkit';
import { beforeAll, expect, test } from 'vitest';
import { createFactSheetPrinter } from '../../../adapters/pdf/create-fact-sheet-printer.ts';
import { syncPaymentFromProvider } from '../../intents/sync-payment.ts';
import { runDisputesCommand } from '../disputes-command.ts';
import { createEvidence } from './create-evidence.ts';

const testDatabase = withTestDatabase();
const factSheetPrinter = createFactSheetPrinter();

beforeAll(async () => {
  const firm = {
    name: 'Alder & Finch',
    sra_number: '600000',
    phone: '01632 960100',
    address: ['1 High Street', 'Frome'],
    opening_hours: 'Monday to Friday',
    vat_number: null,
    order_cutoff: '15:00',
    closed_on: [],
  };
  await testDatabase.pool.query('update installation set firm = $1', [JSON.stringify(firm)]);
});

/** A payment for a search, confirmed with 3-D Secure and disputed two weeks later. */
async function disputedPayment({ isDelivered = true } = {}) {
  const clock = createTestClock('2026-11-02T09:00:00Z');
  const world = createPaymentWorld(testDatabase, { clock });
  const { dependencies, intents, disputes } = world;
  const built = await buildCase(testDatabase.database, {
    clients: [{ firstName: 'Amelia', lastName: 'Whitcombe', email: `amelia-${Math.random()}@example.test` }],
    matters: [{ documents: [{ title: 'Local search result', sharedAt: new Date('2026-11-12T10:00:00Z') }] }],
  });
  const documentId = built.matters[0]?.documentIds[0];
  const request = {
    ...built,
    address: '198.51.100.7',
    confirmed: {
      own_card: true,
      order_now: true,
      order_wording: '2026-12-unknown' as const,
      wording: '2026-11-sole-client' as const,
    },
  };
  const { intentId, paymentId } = await startTestPayment(dependencies, request);
  await intents.confirm(intentId, sandboxCard('4000000000003220'));
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  clock.advance(60_000);
  await intents.authenticate(intentId, 'approved');
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  if (isDelivered) {
    await testDatabase.pool.query(
      "update case_searches set status = 'reviewed', result_document_id = $1 where id = $2",
      [documentId, built.caseSearchId],
    );
    await testDatabase.pool.query(
      "insert into document_reads (document_id, client_id, read_at) values ($1, $2, '2026-11-13T08:30:00Z')",
      [documentId, built.clientId],
    );
  }
  clock.advance(14 * 86_400_000);
  const { id: disputeId } = await disputes.open(intentId);
  await syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  return { ...world, clock, disputeId, intentId, paymentId, reference: built.reference };
}

const readEvidence = async ({ dependencies, disputeId }: Awaited<ReturnType<typeof disputedPayment>>) => {
  const evidence = await createEvidence({ ...dependencies, factSheetPrinter }, disputeId);
  if (!evidence) throw new Error('there is no evidence');
  return { ...evidence, pdf: await readPdf(evidence.content) };
};

test('an evidence pack prints the order, the consent, the times, the receipt and what was delivered', async () => {
  const disputed = await disputedPayment();
  const { pdf, fileName } = await readEvidence(disputed);
  const text = pdf.pages.join(' ');
  for (const expected of [
    `Evidence for dispute ${disputed.disputeId}`,
    'the payer says that they did not make this payment (card scheme code 10.4)',
    'Alder & Finch',
    disputed.reference,
    'Is this your own card?',
    'Yes, it’s mine',
    'Please order this search now, even if my cancellation period is still running.',
    'Amelia Whitcombe',
    'Visa ending',
    'Monday 2 November 2026 at 9:00 am',
    'Monday 2 November 2026 at 9:01 am',
    '198.51.100.7',
    '3-D Secure passed',
    'Local search result',
    'Thursday 12 November 2026 at 10:00 am',
    'Friday 13 November 2026 at 8:30 am',
    'Total paid',
    'Nothing of this payment was refunded.',
  ]) {
    expect(text).toContain(expected);
  }
  expect(fileName).toMatch(/^Evidence R-\d{4}-\d{6} du_\w+\.pdf$/);
});

test('an evidence pack states which facts are not on record', async () => {
  const { pdf } = await readEvidence(await disputedPayment({ isDelivered: false }));
  const text = pdf.pages.join(' ');
  expect(text).toContain('The billing address of the card is not on record here.');
  expect(text).toContain('No result of the search is on record yet.');
  expect(text).toContain('No email with the receipt is on record as sent.');
  expect(text).toContain('No sign-in of the payer is on record for this time any more.');
  expect(text).not.toContain('Local search result');
  expect(text).not.toContain('Read by the payer');
  expect(text).not.toMatch(/null|undefined|NaN|Invalid Date/);
});

test('an evidence pack lists each refund with its amount, date, status and reason', async () => {
  const disputed = await disputedPayment({ isDelivered: false });
  const { dependencies, intents, intentId, clock } = disputed;
  const sync = () => syncPaymentFromProvider(dependencies, intentId, { name: 'test' });
  const refund = (amount: number, reason: string) =>
    intents.refund(intentId, { amount, reason, idempotencyKey: `${intentId} ${amount}` });
  await refund(600, 'duplicate');
  await sync();
  clock.advance(86_400_000);
  const failing = await refund(1_100, 'requested_by_customer');
  await sync();
  clock.advance(86_400_000);
  await intents.endRefund(failing.id, 'failed');
  await sync();
  const text = (await readEvidence(disputed)).pdf.pages.join(' ').replace(/\s+/g, ' ');
  expect(text).toContain('Refunded £6.00');
  expect(text).toContain(
    'Refund 1 £6.00, Monday 16 November 2026 at 9:01 am. Made. Reason: a duplicate payment',
  );
  expect(text).toContain(
    'Refund 2 £11.00, Tuesday 17 November 2026 at 9:01 am. Failed: the payer did not receive it, ' +
      'Wednesday 18 November 2026 at 9:01 am. Reason: the payer asked for it',
  );
  expect(text).not.toContain('Nothing of this payment was refunded.');
});

test('an evidence pack can be read by a screen reader: language, title, headings, lists and a table', async () => {
  const { pdf } = await readEvidence(await disputedPayment());
  const count = (type: string) => pdf.elements.reduce((sum, page) => sum + (page[type] ?? 0), 0);
  expect(pdf.language).toBe('en-GB');
  expect(pdf.title).toMatch(/^Evidence for dispute /);
  expect(count('H1')).toBe(1);
  expect(count('H2')).toBeGreaterThanOrEqual(8);
  expect(count('TH')).toBeGreaterThan(0);
  expect(count('Lbl')).toBe(count('LBody'));
});

test('the command writes the pack under a sensible name that only its owner can read', async () => {
  const { dependencies, disputeId } = await disputedPayment();
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  try {
    const lines: string[] = [];
    const run = (file: string | null, id = disputeId) =>
      runDisputesCommand(
        { ...dependencies, factSheetPrinter },
        { name: 'evidence', disputeId: id, file },
        (line) => lines.push(line),
      );
    expect(await run(folder)).toBe(0);
    expect(await run(join(folder, 'mine.pdf'))).toBe(0);
    expect(await run(folder, 'du_none')).toBe(1);
    expect(lines.at(-1)).toBe('There is no dispute du_none. keyturn payments disputes lists them.');
    const { rows: audited } = await testDatabase.pool.query(
      "select subject_id from audit_entries where action = 'payment.evidence_requested' order by occurred_at",
    );
    expect(audited.map(({ subject_id }) => subject_id).sort()).toEqual(
      [disputeId, disputeId, 'du_none'].sort(),
    );
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([expect.stringMatching(/^Evidence R-.* du_\w+\.pdf$/), 'mine.pdf']);
    expect((await stat(join(folder, 'mine.pdf'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, 'mine.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the list has open disputes first, by deadline, then early fraud warnings and open reviews', async () => {
  const first = await disputedPayment();
  const second = await disputedPayment();
  await testDatabase.pool.query(
    "update disputes set evidence_due_by = evidence_due_by - interval '3 days' where provider_dispute_id = $1",
    [second.disputeId],
  );
  const closed = await disputedPayment();
  await testDatabase.pool.query(
    "update disputes set status = 'closed', outcome = 'won', closed_at = now() where provider_dispute_id = $1",
    [closed.disputeId],
  );
  await testDatabase.pool.query(
    `insert into early_fraud_warnings
       (id, payment_id, provider, provider_warning_id, fraud_type, is_actionable, warned_at, observed_at)
     values (gen_random_uuid(), $1, 'sandbox', 'issfr_1', 'made_with_lost_card', true, now(), now())`,
    [first.paymentId],
  );
  await testDatabase.pool.query(
    `insert into provider_reviews
       (id, payment_id, provider, provider_review_id, is_open, opened_reason, opened_at, observed_at)
     values (gen_random_uuid(), $1, 'sandbox', 'prv_1', true, 'rule', now(), now())`,
    [first.paymentId],
  );
  const lines: string[] = [];
  await runDisputesCommand({ ...first.dependencies, factSheetPrinter }, { name: 'disputes' }, (line) =>
    lines.push(line),
  );
  const indexOf = (text: string) => lines.findIndex((line) => line.includes(text));
  const order = [second.disputeId, first.disputeId, closed.disputeId, 'issfr_1', 'prv_1'].map(indexOf);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
  expect(lines[order[0] ?? 0]).toMatch(
    /^Dispute du_\w+: needs an answer by .* £180\.00 of £180\.00, receipt R-.*, case .*, payment .* Reason: .* The bank has taken £180\.00\.$/,
  );
  expect(lines[order[2] ?? 0]).toContain(': won, recorded');
  expect(lines[order[3] ?? 0]).toContain('the card was lost');
});
