import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { signatureConsent } from '@keyturn/contract';
import {
  buildCase,
  buildClient,
  buildFirm,
  buildRegulation,
  buildStoredDocument,
  createImportDependencies,
  createTestServer,
  type TestServer,
} from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importFeed } from '../doors/import/import-feed.ts';
import { switchMaintenance } from '../live/maintenance/switch-maintenance.ts';
import { auditPaymentsCommand } from '../payments/reconciliation/audit-payments-command.ts';
import { runClientCommand } from '../people/clients/client-command.ts';
import { verifyAudit } from '../records/audit/verify-audit.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
  await buildFirm(server.database);
  await buildRegulation(server.database);
});
afterAll(async () => {
  expect(await verifyAudit(server.database)).toMatchObject({ isIntact: true });
  await server.stop();
});

const post = (path: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: `/api${path}`, headers, remoteAddress: '203.0.113.7', payload });
const rows = async (sql: string, values: unknown[] = []) => (await server.pool.query(sql, values)).rows;
const entriesOn = (subject: string) =>
  rows(
    `select actor_kind, actor_id, actor_name, action, address, before, after
     from audit_entries join audit_links on entry_id = id where subject_id = $1 order by position`,
    [subject],
  );
const operator = {
  actor_kind: 'command_line',
  actor_id: null,
  actor_name: userInfo().username,
  address: null,
};
const clientNamed = (actor_id: string) => ({ actor_kind: 'client', actor_id, actor_name: 'Amelia Okafor' });
const amelia = { firstName: 'Amelia', lastName: 'Okafor' };

describe('the audit log', () => {
  test('the audit log records a sign-in from a new device, but not from a known one or with a wrong password', async () => {
    const { id, email } = await buildClient(server.database, { ...amelia, password: 'three brass hinges' });
    expect((await post('/login', { email, password: 'wrong' })).statusCode).toBe(401);
    const signedIn = await post('/login', { email, password: 'three brass hinges' });
    const cookie = String(signedIn.headers['set-cookie']).replace(/;.*/, '');
    expect((await post('/login', { email, password: 'three brass hinges' }, { cookie })).statusCode).toBe(
      200,
    );
    expect(await entriesOn(id)).toMatchObject([
      { ...clientNamed(id), action: 'client.signed_in_from_new_device', address: '203.0.113.7' },
    ]);
  });

  test('the audit log records an invitation and the password that the client sets with it', async () => {
    const { id, email } = await buildClient(server.database, amelia);
    await runClientCommand(
      { database: server.database, clock: () => new Date() },
      { emails: [email], all: false },
      () => {},
    );
    const token = 'a'.repeat(43);
    await rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values ($1, $2, 'invitation', now(), now() + interval '1 day')`,
      [createHash('sha256').update(token).digest(), id],
    );
    const answer = await post('/password/reset', { token, password: 'three brass hinges and a gate' });
    expect(answer.statusCode).toBe(204);
    expect(await entriesOn(id)).toMatchObject([
      { ...operator, action: 'client.invited' },
      {
        ...clientNamed(id),
        action: 'client.password_set',
        address: '203.0.113.7',
        after: { link: 'invitation' },
      },
    ]);
  });

  test('the audit log records a signature, but not one that was refused', async () => {
    const { matterId, clientId } = await buildCase(server.database, { clients: [amelia] });
    const document = await buildStoredDocument(server.database, server.files, {
      matterId,
      signing: 'simple',
    });
    const headers = await server.signInAs(clientId);
    const body = { consent: signatureConsent('exchange'), sha256: document.sha256 };
    const sign = (name: string) => post(`/documents/${document.id}/signature`, { ...body, name }, headers);
    expect((await sign('Someone Else')).statusCode).toBe(409);
    expect((await sign('Amelia Okafor')).statusCode).toBe(200);
    expect(await entriesOn(document.id)).toMatchObject([
      {
        ...clientNamed(clientId),
        action: 'document.signed',
        after: { sha256: document.sha256, position: 1 },
      },
    ]);
  });

  test('the audit log records the start and the end of maintenance', async () => {
    const until = new Date('2030-11-24T14:00:00Z');
    await switchMaintenance(server.database, { area: 'case-history', on: true, message: null, until });
    await switchMaintenance(server.database, { area: 'case-history', on: false, message: null, until: null });
    expect(await entriesOn('case-history')).toMatchObject([
      { ...operator, action: 'maintenance.started', after: { until: until.toISOString() } },
      { ...operator, action: 'maintenance.ended', after: null },
    ]);
  });

  test('the audit log records commands that may change payments, but not read-only ones', async () => {
    const audited = (command: Parameters<typeof auditPaymentsCommand>[1]) =>
      auditPaymentsCommand({ database: server.database, clock: () => new Date() }, command);
    const refundId = 'the refund';
    await audited({
      name: 'approve refund',
      refundId,
      approvedBy: 'Joel',
      staff: { id: 'joel', role: 'finance' },
    });
    await audited({ name: 'reject refund', refundId, reason: 'not due' });
    await audited({ name: 'review' });
    await audited({ name: 'close review', paymentId: refundId, decision: 'paid' });
    expect(await entriesOn(refundId)).toMatchObject([
      { ...operator, action: 'payment.refund_approval_requested', after: { by: 'Joel' } },
      { ...operator, action: 'payment.refund_rejection_requested' },
      { ...operator, action: 'payment.review_decided', after: { decision: 'paid' } },
    ]);
  });

  test('the audit log records the start and the end of an import with its counts, but no dry run', async () => {
    const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
    const dependencies = createImportDependencies(server);
    const feed = { ...fixtureFeed, documents: [], searches: [], tasks: [] };
    const runImport = (dryRun: boolean) =>
      importFeed(dependencies, { feed, folder: '/', as: 'real', actor, dryRun });
    await runImport(true);
    const { created } = await runImport(false);
    const entries = await rows(
      `select actor_name, action, after from audit_entries join audit_links on entry_id = id
       where action like 'feed.%' order by position`,
    );
    expect(entries).toEqual([
      { actor_name: 'rhian', action: 'feed.import_started', after: { records: created } },
      {
        actor_name: 'rhian',
        action: 'feed.import_finished',
        after: { created, updated: 0, unchanged: 0, rejected: 0 },
      },
    ]);
  });
});
