import { signatureConsent } from '@keyturn/contract';
import {
  buildCase,
  buildFirm,
  buildHistoryEntry,
  buildStoredDocument,
  createPaymentWorld,
  createTestServer,
  intentOf,
  ownCard,
  parseCommand,
  sandboxCard,
  type TestServer,
} from '@keyturn/testkit';
import { Command } from 'commander';
import { TransactionRollbackError } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runVerify } from '../../../case-file/documents/verify-command.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { verifyAudit } from '../../audit/verify-audit.ts';
import { eraseClient } from './erase.ts';
import { eraseClientCommand, runEraseClient } from './erase-client-command.ts';
import { removeFilesOfErasures } from './remove-erased-files-job.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
  await buildFirm(server.database);
});
afterAll(() => server.stop());

const rows = async (text: string, values: unknown[] = []) => (await server.pool.query(text, values)).rows;
const password = 'three brass hinges and a gate';

async function call(token: string, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) {
  const answer = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: '203.0.113.61',
    ...(payload ? { payload } : {}),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function signIn(email: string) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password },
    remoteAddress: '203.0.113.61',
  });
  return { status: answer.statusCode, token: answer.json().data?.access_token as string };
}

let counter = 0;
/** A case whose first client has signed and paid, so that their name is in many tables. */
async function lifeOfCase({ isShared = false } = {}) {
  counter += 1;
  const own = {
    firstName: `Rosalind${counter}`,
    lastName: `Lantern${counter}`,
    email: `zq${counter}@marker.test`,
    phone: `01632 9607${counter}`,
    reference: `ZQ-${counter}`,
    password,
  };
  const markers = [own.firstName, own.lastName, own.email, own.phone, `Marker Cottage ${counter}`];
  const other = {
    firstName: 'Tom',
    lastName: `Birch${counter}`,
    email: `tom${counter}@other.test`,
    password,
  };
  const built = await buildCase(server.database, {
    title: `Purchase of Marker Cottage ${counter} by ${own.firstName}`,
    clients: isShared ? [own, other] : [own],
    matters: [
      {
        property: {
          address_lines: [`Marker Cottage ${counter}`],
          town: 'Frome',
          postcode: 'BA11 1AA',
          tenure: 'freehold',
          title_number: 'WS123456',
          price: 41_500_000,
        },
        searches: [{}],
      },
    ],
    tasks: [{ explanation: `For ${own.firstName}` }],
  });
  await buildHistoryEntry(server.database, { caseId: built.id, summary: `${own.lastName} called us` });
  const document = await buildStoredDocument(server.database, server.files, {
    matterId: built.matterId,
    title: `Contract of ${own.lastName}`,
    group: 'contract',
    signing: 'simple' as const,
  });
  const { token } = await signIn(own.email);
  await call(token, 'POST', `/documents/${document.id}/read`);
  const signed = await call(token, 'POST', `/documents/${document.id}/signature`, {
    name: `${own.firstName} ${own.lastName}`,
    consent: signatureConsent('exchange'),
    sha256: document.sha256,
    drawing: { width: 9, height: 9, strokes: [[1, 2, 3, 4]] },
  });
  expect(signed).toMatchObject({ status: 200 });
  const paymentId = await pay(token, built.caseSearchId, own);
  return { ...built, own, other, document, token, paymentId, markers };
}

/** Puts an email address into each empty text of a client’s row, so that the erasure cannot miss one of them. */
async function fillEmptyTexts(clientId: string, email: string) {
  const columns = await rows(`select column_name as name from information_schema.columns
    where table_name = 'clients' and data_type = 'text' and is_nullable = 'YES'`);
  expect(columns).toContainEqual({ name: 'unrestored_email' });
  const filled = columns.map(({ name }) => `${name} = coalesce(${name}, $2)`);
  filled.push('recent_phones = array[$2]', 'phone_changed_at = now()');
  await rows(`update clients set ${filled.join(', ')} where id = $1`, [clientId, email]);
}

async function pay(token: string, search: string, own: { firstName: string; email: string }) {
  const started = await call(token, 'POST', `/case-searches/${search}/payments`, ownCard);
  expect(started).toMatchObject({ status: 200 });
  const { payment_id: paymentId, client_secret: secret } = started.body.data;
  await createPaymentWorld(server).intents.confirm(intentOf(secret), sandboxCard());
  await vi.waitFor(async () => {
    await call(token, 'POST', `/payments/${paymentId}/refresh`);
    expect(await rows('select status from payments where id = $1', [paymentId])).toEqual([
      { status: 'succeeded' },
    ]);
  }, 20_000);
  await rows(
    `insert into receipt_files (payment_id, refunded_amount, is_cleared, sha256, size, made_at)
     values ($1, 0, true, $2, 3, now())`,
    [paymentId, await server.files.put(Buffer.from(`receipt ${own.firstName}`))],
  );
  return paymentId as string;
}

const close = (caseId: string) =>
  rows(`update conveyancing_cases set status = 'completed', closed_at = now() where id = $1`, [caseId]);
const afterRetention = () => new Date(Date.now() + 30 * 365.25 * 86_400_000);

async function erase(args: string[], clock = afterRetention) {
  const lines: string[] = [];
  const parsed = parseCommand(
    (run: Parameters<typeof eraseClientCommand>[0]) =>
      new Command('client').addCommand(eraseClientCommand(run)),
    ['erase', ...args],
  );
  const code = await runEraseClient({ database: server.database, clock }, parsed, (line) => lines.push(line));
  return { code, lines, output: lines.join('\n') };
}

/** Erases a case or a client without the checks of the command. */
async function eraseInDatabase(
  id: string,
  { kind = 'case', inOneTransaction = false }: { kind?: 'case' | 'client'; inOneTransaction?: boolean } = {},
) {
  const connection = await server.pool.connect();
  try {
    if (inOneTransaction) await connection.query('begin');
    const inserted = await connection.query(
      `insert into erasures (subject_kind, subject_id, reference_hash, occurred_at, ordered_by, basis)
       values ($2, $1, sha256('x'), now(), 'x', 'request') returning id`,
      [id, kind],
    );
    await connection.query(`select erase_${kind}($1)`, [inserted.rows[0].id]);
  } finally {
    if (inOneTransaction) await connection.query('rollback');
    connection.release();
  }
}

/** Finds the tables with a row that contains one of these texts, in any column. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const found: string[] = [];
  const tables = await rows(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' order by 1`,
  );
  for (const { name } of tables) {
    const [{ n }] = await rows(
      `select count(*)::int as n from ${name} r where exists (select from unnest($1::text[]) t where position(lower(t) in lower(r::text)) > 0)`,
      [texts],
    );
    if (n > 0) found.push(name.replace('public.', ''));
  }
  return found;
}

test('fault 75: a client with a payment under way cannot be erased until it is settled', async () => {
  const built = await buildCase(server.database, {
    status: 'completed',
    clients: [{ reference: 'OPEN-1', email: 'open@marker.test', password }],
  });
  const { token } = await signIn('open@marker.test');
  const started = await call(token, 'POST', `/case-searches/${built.caseSearchId}/payments`, ownCard);
  await rows(`update conveyancing_cases set status = 'active', closed_at = null where id = $1`, [built.id]);
  const active = await call(token, 'POST', `/case-searches/${built.caseSearchId}/payments`, ownCard);
  const { payment_id: paymentId, client_secret: secret } = (active.body.data ?? started.body.data) as {
    payment_id: string;
    client_secret: string;
  };
  await close(built.id);

  // A confirmed order would cancel the payment.
  const refused = await erase(['open@marker.test', '--before-retention-ends', 'asked']);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain(`NOT POSSIBLE: Case ${built.reference} has a payment under way`);
  expect(await rows('select status from payments where id = $1', [paymentId])).toEqual([
    { status: 'requires_payment_method' },
  ]);
  await expect(eraseInDatabase(built.id)).rejects.toThrow('of this transaction');
  await expect(eraseInDatabase(built.id, { inOneTransaction: true })).rejects.toThrow(
    'a payment is under way',
  );
  expect(await rows('select id from payments where id = $1', [paymentId])).toEqual([{ id: paymentId }]);

  await createPaymentWorld(server).intents.confirm(intentOf(secret), sandboxCard());
  await vi.waitFor(async () => {
    await call(token, 'POST', `/payments/${paymentId}/refresh`);
    expect(await rows('select status from payments where id = $1', [paymentId])).toEqual([
      { status: 'succeeded' },
    ]);
  }, 20_000);
  expect(await erase(['open@marker.test', '--confirm', 'OPEN-1'])).toMatchObject({ code: 0 });
  expect(await rows('select id from payments where id = $1', [paymentId])).toEqual([]);
  expect(
    await rows('select status, amount from erased_payments where payment_id = $1', [paymentId]),
  ).toMatchObject([{ status: 'succeeded' }]);
});

test('a client who has left a shared case cannot be erased until their payment in it is settled', async () => {
  const built = await buildCase(server.database, {
    clients: [
      { reference: 'LEFT-1', email: 'left@marker.test', password },
      { reference: 'LEFT-2', email: 'stays@marker.test', password },
    ],
  });
  const [leaver = ''] = built.clientIds;
  const { token } = await signIn('left@marker.test');
  const started = await call(token, 'POST', `/case-searches/${built.caseSearchId}/payments`, ownCard);
  await rows('delete from case_clients where case_id = $1 and client_id = $2', [built.id, leaver]);

  // A confirmed order would cancel the payment.
  expect(await erase(['left@marker.test'])).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      `NOT POSSIBLE: Case ${built.reference}, which the client has left, has a payment of theirs that is not settled`,
    ),
  });
  await expect(eraseInDatabase(leaver, { kind: 'client', inOneTransaction: true })).rejects.toThrow(
    'a payment of the client is under way',
  );
  const { payment_id: paymentId, client_secret: secret } = started.body.data;
  await createPaymentWorld(server).intents.confirm(intentOf(secret), sandboxCard());
  await vi.waitFor(async () => {
    await call((await signIn('stays@marker.test')).token, 'POST', `/payments/${paymentId}/refresh`);
    expect(await rows('select status from payments where id = $1', [paymentId])).toEqual([
      { status: 'succeeded' },
    ]);
  }, 20_000);
  expect(await erase(['left@marker.test', '--confirm', 'LEFT-1'])).toMatchObject({ code: 0 });
});

test('after the erasure of a client no table contains their name, email, phone number, address or IP address', async () => {
  const life = await lifeOfCase();
  await close(life.id);
  const before = await tablesWith(life.markers);
  for (const table of [
    'clients',
    'audit_entries',
    'document_signatures',
    'payment_changes',
    'documents',
    'matters',
  ])
    expect(before).toContain(table);

  const shown = await erase([life.own.email]);
  expect(shown.code).toBe(0);
  expect(shown.output).toContain(
    `Nothing is erased yet. To erase it for good, add: --confirm "${life.own.reference}"`,
  );
  expect(await tablesWith(life.markers)).toEqual(before);

  const erased = await erase([life.own.email, '--confirm', life.own.reference]);
  expect(erased).toMatchObject({ code: 0, output: expect.stringMatching(/Erasure \d+: client ZQ-/) });
  // The queue and the events for open pages are emptied by the server itself.
  await vi.waitFor(async () => expect(await tablesWith(life.markers)).toEqual([]), 20_000);
  const ids = [life.id, life.clientId, life.document.id, life.paymentId, ...life.taskIds];
  const withIds = [
    'audit_entries',
    'broadcast_events',
    'client_changes',
    'erased_payments',
    'erased_signatures',
    'erasures',
    // Counts requests for some minutes.
    'request_counts',
  ];
  await vi.waitFor(
    async () => expect((await tablesWith(ids)).filter((table) => !withIds.includes(table))).toEqual([]),
    20_000,
  );
  expect(
    await rows('select count(*)::int as n from audit_entries where address = $1 and actor_id = $2', [
      '203.0.113.61',
      life.clientId,
    ]),
  ).toEqual([{ n: 0 }]);
  expect(await signIn(life.own.email)).toMatchObject({ status: 401 });
  expect((await call(life.token, 'GET', '/client')).status).toBe(401);
});

test('the audit log verifies after an erasure, and notices a changed or missing redaction', async () => {
  const life = await lifeOfCase();
  await close(life.id);
  await erase([life.own.email, '--confirm', life.own.reference]);
  const verified = await verifyAudit(server.database);
  expect(verified).toMatchObject({ isIntact: true });
  const [{ id }] = await rows('select id::int from erasures where subject_id = $1', [life.clientId]);
  expect(verified.isIntact && verified.redactions.get(id)).toBeGreaterThan(0);
  const [{ entry_id: entry }] = await rows('select entry_id from audit_redactions where erasure_id = $1', [
    id,
  ]);
  const tampering = [
    [
      `update audit_entries set action = 'client.invited' where id = '${entry}'`,
      /was changed after it was written/,
    ],
    [`update audit_redactions set remaining_hash = sha256('x') where entry_id = '${entry}'`, /was changed/],
    [`delete from audit_redactions where entry_id = '${entry}'`, /was changed/],
  ] as const;
  for (const [statement, problem] of tampering) {
    const isRolledBack = server.database.transaction(async (transaction) => {
      await transaction.execute("set local session_replication_role = 'replica'");
      await transaction.execute(statement);
      expect(await verifyAudit(transaction), statement).toMatchObject({
        isIntact: false,
        problem: expect.stringMatching(problem),
      });
      transaction.rollback();
    });
    await expect(isRolledBack).rejects.toThrow(TransactionRollbackError);
  }
});

test('the audit log is intact for a verification during which a client is erased', async () => {
  const life = await lifeOfCase();
  await close(life.id);
  const client = await server.pool.connect();
  const query = client.query.bind(client) as (...statement: unknown[]) => Promise<unknown>;
  let isErased = false;
  const erasing = async (statement: { text?: string }, ...values: unknown[]) => {
    const answer = await query(statement, ...values);
    if (!isErased && statement.text?.includes('from "audit_links"')) {
      isErased = true;
      await erase([life.own.email, '--confirm', life.own.reference]);
    }
    return answer;
  };
  const interrupted = drizzle(Object.assign(Object.create(client), { query: erasing }));
  const verified = await verifyAudit(interrupted as never).finally(() => client.release());
  expect(verified).toMatchObject({ isIntact: true });
  expect(isErased).toBe(true);
});

test('signatures, payments and audit entries can only be removed by an erasure, which verify-signature names', async () => {
  const life = await lifeOfCase();
  for (const statement of [
    'delete from payments',
    'delete from document_signatures',
    "update audit_entries set actor_name = 'Erased client', address = null",
    "update document_signatures set name = 'x'",
    'delete from erasures',
    'delete from legal_holds',
  ])
    await expect(server.pool.query(statement)).rejects.toThrow('is append-only');
  await close(life.id);
  await erase([life.own.email, '--confirm', life.own.reference]);
  const lines: string[] = [];
  const verifying = { database: server.database, files: server.files };
  expect(await runVerify(verifying, life.document.id, (line) => lines.push(line))).toBe(2);
  expect(lines.join('\n')).toMatch(/was erased on .* with 1 signature \(erasure \d+\)/);
});

test('the files of an erasure are removed once no other record has them, and after a failure with the next run', async () => {
  const life = await lifeOfCase();
  const template = Buffer.from('the same letter for everyone');
  const shared = await buildStoredDocument(server.database, server.files, {
    matterId: life.matterId,
    content: template,
  });
  const kept = await buildCase(server.database);
  await buildStoredDocument(server.database, server.files, { matterId: kept.matterId, content: template });
  await close(life.id);
  await erase([life.own.email, '--confirm', life.own.reference]);
  await vi.waitFor(async () => {
    expect(await rows("select count(*)::int as n from erased_files where state = 'waiting'")).toEqual([
      { n: 0 },
    ]);
  }, 20_000);
  expect(await server.files.has(life.document.sha256)).toBe(false);
  expect(await server.files.has(shared.sha256)).toBe(true);

  const sha256 = await server.files.put(Buffer.from('left over'));
  await rows(`insert into erased_files (erasure_id, sha256) select max(id), $1 from erasures`, [sha256]);
  const failing = { remove: () => Promise.reject(new Error('the store is away')) };
  const dependencies = { database: server.database, clock: () => new Date() };
  await expect(removeFilesOfErasures({ ...dependencies, files: failing })).rejects.toThrow(
    'the store is away',
  );
  expect(await server.files.has(sha256)).toBe(true);
  expect(await removeFilesOfErasures({ ...dependencies, files: server.files })).toBe(1);
  expect(await server.files.has(sha256)).toBe(false);
  expect(await removeFilesOfErasures({ ...dependencies, files: server.files })).toBe(0);
});

test('a case with a joint client stays when one of them is erased, and goes with the last of them', async () => {
  const life = await lifeOfCase({ isShared: true });
  const { token: tom } = await signIn(life.other.email);
  await close(life.id);
  await fillEmptyTexts(life.clientId, life.own.email);
  const { output, code } = await erase([life.own.email, '--confirm', life.own.reference]);
  expect(code).toBe(0);
  expect(output).toContain(`It is also the file of Tom ${life.other.lastName}`);

  await vi.waitFor(
    async () => expect(await tablesWith([life.own.email, life.own.phone])).toEqual([]),
    20_000,
  );
  // What the client signed, and what the firm wrote about them in the file that also belongs to Tom.
  expect(await tablesWith([life.own.firstName, life.own.lastName])).toEqual([
    'case_summaries',
    'conveyancing_cases',
    'document_signatures',
    'documents',
    'history_entries',
    'payment_changes',
    'payments',
    'tasks',
  ]);
  const written = await rows(
    'select summary from history_entries where case_id = $1 and reference is null order by id',
    [life.id],
  );
  expect(written).toContainEqual({ summary: expect.stringMatching(/^Former client signed “/) });
  expect(written).toContainEqual({ summary: expect.stringMatching(/^Former client paid £/) });
  const shown = await call(tom, 'GET', '/client');
  expect(
    shown.body.data.conveyancing_case.clients.map((client: { first_name: string }) => client.first_name),
  ).toEqual(['Tom']);
  const documents = await call(tom, 'GET', `/documents`);
  expect(documents.status).toBe(200);
  const [document] = documents.body.data.documents ?? documents.body.data;
  expect(JSON.stringify(document)).toContain('Former client');
  const payment = await call(tom, 'GET', `/payments/${life.paymentId}`);
  expect(payment.body.data).toMatchObject({ status: 'succeeded' });
  expect(await signIn(life.own.email)).toMatchObject({ status: 401 });
  expect(await verifyAudit(server.database)).toMatchObject({ isIntact: true });

  await erase([
    life.other.email,
    '--confirm',
    (await rows('select reference from clients where email = $1', [life.other.email]))[0].reference,
  ]);
  await vi.waitFor(async () => expect(await tablesWith(life.markers)).toEqual([]), 20_000);
  expect(await rows('select id from clients where id = any($1)', [life.clientIds])).toEqual([]);
});

test('a case is erased with finished refunds and disputes, and not with open ones', async () => {
  const life = await lifeOfCase();
  await close(life.id);
  const [{ id: refund }] = await rows(
    `insert into refunds (id, payment_id, provider_refund_id, amount, status, last_cause, created_at, updated_at)
     values (gen_random_uuid(), $1, 're_1', 100, 'pending', 'test', now(), now()) returning id`,
    [life.paymentId],
  );
  await rows(
    `insert into disputes (id, payment_id, provider, provider_dispute_id, is_inquiry, status, reason, amount, opened_at, observed_at)
     values (gen_random_uuid(), $1, 'sandbox', 'dp_1', false, 'needs_response', 'general', 100, now(), now())`,
    [life.paymentId],
  );
  const { output } = await erase([life.own.email, '--confirm', life.own.reference]);
  expect(output).toContain('has an open dispute about a payment');
  expect(output).toContain('has a refund that is not finished');
  await rows("update refunds set status = 'succeeded' where id = $1", [refund]);
  await rows('update payments set last_refund_id = $2 where id = $1', [life.paymentId, refund]);
  await rows(
    "update disputes set status = 'closed', outcome = 'won', closed_at = now() where payment_id = $1",
    [life.paymentId],
  );
  expect(await erase([life.own.email, '--confirm', life.own.reference])).toMatchObject({ code: 0 });
  expect(await rows('select from refunds where id = $1', [refund])).toEqual([]);
});

test('an erasure is rejected for an unknown client, an open case, a running retention, and a wrong confirmation', async () => {
  expect(await erase(['none@marker.test'])).toMatchObject({ code: 1 });
  const life = await lifeOfCase();
  expect((await erase([life.own.email])).output).toContain(`Case ${life.reference} is open`);
  await close(life.id);
  const today = () => new Date();
  const retained = await erase([life.own.email, '--confirm', life.own.reference], today);
  expect(retained).toMatchObject({ code: 1, output: expect.stringContaining('has to be kept until') });
  expect(await erase([life.own.email, '--confirm', 'wrong'])).toMatchObject({ code: 1 });
  await rows(
    `insert into legal_holds (subject_kind, subject_id, reason, placed_at, placed_by)
     values ('case', $1, 'a claim', now(), 'rhian')`,
    [life.id],
  );
  const held = await erase([life.own.email, '--confirm', life.own.reference]);
  expect(held).toMatchObject({ code: 1, output: expect.stringContaining('is under a legal hold: a claim') });
  await expect(
    rows(
      `insert into erasures (subject_kind, subject_id, reference_hash, occurred_at, ordered_by, basis)
       values ('case', $1, sha256('x'), now(), 'x', 'request')`,
      [life.id],
    ),
  ).rejects.toThrow('is under a legal hold');
  await rows("update legal_holds set released_at = now(), released_by = 'rhian' where subject_id = $1", [
    life.id,
  ]);
  const early = ['--before-retention-ends', 'consented on 1 May'];
  expect(await erase([life.own.email, '--confirm', life.own.reference, ...early], today)).toMatchObject({
    code: 0,
  });
  expect(
    await rows('select early_reason, ordered_by from erasures where subject_id = $1', [life.clientId]),
  ).toMatchObject([{ early_reason: 'consented on 1 May' }]);
  expect(await rows('select reason from legal_holds where subject_id = $1', [life.id])).toEqual([
    { reason: '' },
  ]);
});

test('an erasure replaces the client’s name in history entries by Keyturn, and no other name or word', async () => {
  const built = await buildCase(server.database, {
    clients: [
      { firstName: 'Jo Ann', lastName: 'Lee' },
      { firstName: 'John', lastName: 'Leeds' },
    ],
  });
  const own = { caseId: built.id, actor: 'Jo Ann Lee', reference: null };
  const ofOther = { ...own, actor: 'John Leeds' };
  const before: [typeof own, string][] = [
    [own, 'Jo Ann Lee signed “Jo Ann Lee’s will”'],
    [own, 'Jo Ann paid £31.00 for Jo’s survey'],
    [ofOther, 'John Leeds signed “Contract”'],
    [{ ...ofOther, actor: 'Jo Ann Leeds' }, 'Jo Ann paid £40.00 for the local authority search'],
    [{ ...own, actor: 'Rhian Morgan' }, 'We asked Jo and John to pay for: Jo to pay for: John'],
  ];
  for (const [index, [entry, summary]] of before.entries())
    await buildHistoryEntry(server.database, {
      ...entry,
      summary,
      occurredAt: new Date(Date.UTC(2026, 0, 1 + index)),
    });
  await eraseFrom(built.clientIds[0] ?? '');
  const summaries = await rows(
    'select actor, summary from history_entries where case_id = $1 order by occurred_at',
    [built.id],
  );
  expect(summaries).toEqual([
    { actor: 'Former client', summary: 'Former client signed “Jo Ann Lee’s will”' },
    { actor: 'Former client', summary: 'Former client paid £31.00 for Jo’s survey' },
    { actor: 'John Leeds', summary: 'John Leeds signed “Contract”' },
    { actor: 'Jo Ann Leeds', summary: 'Jo Ann paid £40.00 for the local authority search' },
    { actor: 'Rhian Morgan', summary: 'We asked Former client and John to pay for: Jo to pay for: John' },
  ]);
});

/** Erases a client whose cases stay for others. */
const eraseFrom = (clientId: string) =>
  runTransaction(server.database, (transaction) =>
    eraseClient(transaction, clientId, {
      at: new Date(),
      by: { actor: { kind: 'command_line', id: null, name: 'rhian' } },
      basis: 'request',
      earlyReason: null,
    }),
  );
