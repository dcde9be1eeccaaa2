import type { paymentStatuses } from '@keyturn/contract';
import {
  buildCase,
  buildClient,
  buildDocument,
  buildPayment,
  withStatementCount,
  withTestDatabase,
} from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { readCaseSearch, readCaseSearches } from './read-case-searches.ts';

const stored = withTestDatabase();
const counted = withStatementCount(stored);

const readAll = (clientId: string) => readCaseSearches({}).forClient(stored.database, clientId);
const readOne = async (clientId: string, id: string, database = stored.database) =>
  readCaseSearch(id).forClient(database, clientId);

describe('readCaseSearches', () => {
  test('lists the searches of the active case by matter, in the firm’s order', async () => {
    const { id: clientId } = await buildClient(stored.database);
    await buildCase(stored.database, { clients: [{ id: clientId }], status: 'completed' });
    await buildCase(stored.database, {
      clients: [{ id: clientId }],
      matters: [
        {
          position: 1,
          searches: [
            { code: 'CON29DW', position: 2 },
            { code: 'LLC1_CON29R', position: 1 },
          ],
        },
        { position: 0, searches: [{ code: 'ENVIRO', position: 5 }] },
      ],
    });
    const codes = (await readAll(clientId)).map((caseSearch) => caseSearch.code);
    expect(codes).toEqual(['ENVIRO', 'LLC1_CON29R', 'CON29DW']);
  });

  test('searches have every field of the contract, with dates as days and timestamps in UTC', async () => {
    const built = await buildCase(stored.database, { matters: [{ searches: [] }] });
    const report = await buildDocument(stored.database, { matterId: built.matterId });
    const { id: clientId } = await buildClient(stored.database);
    const { caseSearchId, matterId } = await buildCase(stored.database, {
      clients: [{ id: clientId }],
      matters: [
        {
          searches: [
            {
              priceNet: 12_345,
              priceVatRate: 17.5,
              priceVat: 2_160,
              status: 'reviewed',
              requiredBy: 'optional',
              expectedOn: '2026-03-29',
              paidAt: new Date('2026-03-29T00:30:00.123Z'),
              orderedAt: new Date('2026-03-30T08:00:00Z'),
              returnedAt: new Date('2026-10-25T01:30:00Z'),
              validUntil: '2028-02-29',
              delayedReason: 'The council is behind.',
              outcome: 'attention',
              outcomeSummary: 'A road is planned nearby.',
              resultDocumentId: report.id,
            },
          ],
        },
      ],
    });
    expect(await readOne(clientId, caseSearchId)).toEqual({
      id: caseSearchId,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      matter_id: matterId,
      code: 'LLC1_CON29R',
      name: 'Local authority search',
      supplier: 'Somerset Council',
      supplier_cost: null,
      estimate: null,
      above_estimate: null,
      explanation: 'Shows what the council knows about the property.',
      price: { net: 12_345, vat_rate: 17.5, vat: 2_160, gross: 14_505 },
      refund_rule: 'Refunded in full until we have ordered it.',
      required_by: 'optional',
      status: 'reviewed',
      expected_on: '2026-03-29',
      paid_at: '2026-03-29T00:30:00.123Z',
      ordered_at: '2026-03-30T08:00:00.000Z',
      returned_at: '2026-10-25T01:30:00.000Z',
      valid_until: '2028-02-29',
      delayed_reason: 'The council is behind.',
      order_wording: '2026-12-unknown',
      cancellation_ends_on: null,
      outcome: 'attention',
      outcome_summary: 'A road is planned nearby.',
      result_document_id: report.id,
      payment: null,
      payable: false,
      under_review: false,
    });
  });

  test('returns no searches to a client without a case', async () => {
    expect(await readAll((await buildClient(stored.database)).id)).toEqual([]);
  });

  test('reading searches takes one statement for the list, one for a single search and none for a malformed id', async () => {
    const built = await buildCase(stored.database, { matters: [{ searches: [{}, {}, {}, {}] }, {}] });
    expect(
      await counted.countStatementsOf(() => readCaseSearches({}).forClient(counted.database, built.clientId)),
    ).toBe(1);
    const one = (id: string) =>
      counted.countStatementsOf(() => readOne(built.clientId, id, counted.database).catch(() => {}));
    expect(await one(built.caseSearchId)).toBe(1);
    for (const id of ['', '0', '-1', '9'.repeat(300), `${built.caseSearchId}x`, "' or ''='", '..%2f', '\0']) {
      expect(await one(id)).toBe(0);
    }
  });
});

describe('readCaseSearch', () => {
  test('finds a search on any of the client’s cases, not only the active one', async () => {
    const { id: clientId } = await buildClient(stored.database);
    const old = await buildCase(stored.database, { clients: [{ id: clientId }], status: 'completed' });
    await buildCase(stored.database, { clients: [{ id: clientId }] });
    expect(await readOne(clientId, old.caseSearchId)).toMatchObject({ id: old.caseSearchId });
  });

  test('reading a search answers not_found alike for another client’s, an unknown one and a malformed id', async () => {
    const [mine, otherCase] = [await buildCase(stored.database), await buildCase(stored.database)];
    const refusals = [];
    for (const id of [
      otherCase.caseSearchId,
      newId(),
      mine.id,
      mine.caseSearchId.toUpperCase(),
      '0',
      'x'.repeat(300),
    ]) {
      refusals.push(await readOne(mine.clientId, id).catch((error: unknown) => error));
    }
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ code: 'not_found' });
      expect(refusal).toEqual(refusals[0]);
    }
    expect(await readAll(mine.clientId)).toHaveLength(1);
  });

  test('reading a search finds it for every joint client', async () => {
    const built = await buildCase(stored.database, { clients: [{}, {}] });
    for (const clientId of built.clientIds) {
      expect(await readOne(clientId, built.caseSearchId)).toMatchObject({ id: built.caseSearchId });
    }
  });
});

describe('whether a search is payable', () => {
  const afterPayment = async (...statuses: (typeof paymentStatuses)[number][]) => {
    const built = await buildCase(stored.database);
    let last: { id: string } | undefined;
    for (const status of statuses) {
      const of = { caseId: built.id, clientId: built.clientId, caseSearchId: built.caseSearchId };
      last = await buildPayment(stored.database, { ...of, status });
    }
    const { payable, payment } = await readOne(built.clientId, built.caseSearchId);
    return { payable, payment, last: last?.id };
  };

  test('a search is payable while it awaits payment or its payment can be continued', async () => {
    expect(await afterPayment()).toEqual({ payable: true, payment: null, last: undefined });
    for (const status of ['requires_payment_method', 'requires_action', 'processing'] as const) {
      const { payable, payment, last } = await afterPayment(status);
      expect({ payable, payment }).toEqual({
        payable: true,
        payment: { id: last, status, payer: null, dispute: null, clearing: null, payer_check: null },
      });
    }
  });

  test('a search is not payable after a successful payment, even a refunded one', async () => {
    for (const status of ['succeeded', 'partially_refunded', 'refunded'] as const) {
      const { payable, payment, last } = await afterPayment(status);
      expect({ payable, payment }).toEqual({
        payable: false,
        payment: {
          id: last,
          status,
          payer: null,
          dispute: null,
          clearing: status === 'refunded' ? null : { is_cleared: false, on: null },
          payer_check: null,
        },
      });
    }
  });

  test.each(['inquiry', 'open', 'won', 'lost'] as const)(
    'a search says that its payment has a dispute that is %s',
    async (status) => {
      const built = await buildCase(stored.database);
      const { id } = await buildPayment(stored.database, {
        caseId: built.id,
        clientId: built.clientId,
        caseSearchId: built.caseSearchId,
        status: 'succeeded',
      });
      await stored.pool.query(
        'update payments set dispute_status = $1, dispute_amount = amount, dispute_opened_at = now() where id = $2',
        [status, id],
      );
      expect((await readOne(built.clientId, built.caseSearchId)).payment).toMatchObject({
        dispute: { status },
      });
    },
  );

  test('a search ignores cancelled payments and still shows the current one', async () => {
    expect(await afterPayment('cancelled')).toMatchObject({ payable: true, payment: null });
    const { payable, payment, last } = await afterPayment('cancelled', 'cancelled', 'requires_action');
    expect({ payable, payment }).toEqual({
      payable: true,
      payment: {
        id: last,
        status: 'requires_action',
        payer: null,
        dispute: null,
        clearing: null,
        payer_check: null,
      },
    });
  });

  test('a search is not payable when the price is zero', async () => {
    const free = await buildCase(stored.database, {
      matters: [{ searches: [{ priceNet: 0, priceVat: 0, priceGross: 0 }] }],
    });
    expect(await readOne(free.clientId, free.caseSearchId)).toMatchObject({ payable: false });
  });

  test('a search is not payable in any other status or on an inactive case', async () => {
    for (const status of ['paid', 'ordered', 'returned', 'reviewed', 'cancelled'] as const) {
      const built = await buildCase(stored.database, { matters: [{ searches: [{ status }] }] });
      expect(await readOne(built.clientId, built.caseSearchId)).toMatchObject({ status, payable: false });
    }
    for (const status of ['on_hold', 'completed', 'abandoned'] as const) {
      const built = await buildCase(stored.database, { status });
      expect(await readOne(built.clientId, built.caseSearchId)).toMatchObject({ payable: false });
    }
  });
});
