import { acceptEveryPayment } from '@keyturn/testkit/builders/accept-every-payment.ts';
import { buildCase, buildClient } from '@keyturn/testkit/builders/builders.ts';
import type pg from 'pg';
import { connectDatabase } from '../../../apps/server/src/adapters/postgres/connect.ts';
import { hashPassword } from '../../../apps/server/src/people/credentials/passwords.ts';
import { installation } from '../../../apps/server/src/schema/tables/tables.ts';

export const password = 'history-of-payments-2026';

export interface FirmOptions {
  clients: number;
  /** By default one for every three clients. */
  cases?: number | undefined;
  searches: number;
}

/** A search that a client can pay for. */
export interface FirmSearch {
  id: string;
  caseId: string;
  /** Pence, with VAT, before the feed changes it. */
  price: number;
  /** The search in the firm's feed, apart from its price. */
  record: object;
}

export interface BuiltFirm {
  clients: { id: string; email: string; caseIds: string[] }[];
  searches: FirmSearch[];
}

/** Two or three clients share a case; every fourth client also belongs to the next case. */
export async function buildFirm(
  url: string,
  { clients: count, cases, searches: searchCount }: FirmOptions,
): Promise<BuiltFirm> {
  const connected = connectDatabase({ url, size: 4 });
  const { database } = connected;
  const firm = {
    name: 'Alder & Finch',
    sra_number: '1',
    phone: '01632 960000',
    address: [],
    opening_hours: '',
    vat_number: null,
    order_cutoff: '15:00',
    closed_on: [],
  };
  await database.update(installation).set({ firm, contents: 'real' });
  await connected.pool.query(acceptEveryPayment);
  const passwordHash = await hashPassword(password);
  const people = [];
  for (let index = 0; index < count; index += 1) {
    const email = `client${index}@example.test`;
    const { id } = await buildClient(database, { email, firstName: `Client${index}`, passwordHash });
    people.push({ id, email, caseIds: [] as string[] });
  }
  const caseCount = cases ?? Math.ceil(count / 3);
  const searches: Omit<FirmSearch, 'record'>[] = [];
  for (let index = 0; index < caseCount; index += 1) {
    const owners = people.filter(
      (_, person) => person % caseCount === index || (person % 4 === 0 && (person + 1) % caseCount === index),
    );
    const prices = Array.from(
      { length: Math.ceil(searchCount / caseCount) },
      (_, number) => 10_000 + 500 * (number % 7),
    );
    const built = await buildCase(database, {
      clients: owners.map(({ id }) => ({ id })),
      matters: [{ searches: prices.map((priceNet) => ({ priceNet, priceVat: priceNet / 5 })) }],
    });
    for (const owner of owners) owner.caseIds.push(built.id);
    for (const [number, id] of (built.matters[0]?.searchIds ?? []).entries()) {
      const net = prices[number] ?? 0;
      searches.push({ id, caseId: built.id, price: net + net / 5 });
    }
  }
  const records = new Map((await readRecords(connected.pool)).map((record) => [record.id, record]));
  await connected.close();
  return {
    clients: people,
    searches: searches.map((search) => {
      const { id: _id, ...record } = records.get(search.id) ?? {};
      return { ...search, record };
    }),
  };
}

async function readRecords(pool: pg.Pool): Promise<({ id: string } & object)[]> {
  const { rows } =
    await pool.query(`select s.id, s.reference, m.reference as matter, s.code, s.name, s.supplier,
    s.explanation, s.refund_rule, s.required_by, s.status
    from case_searches s join matters m on m.id = s.matter_id`);
  return rows;
}
