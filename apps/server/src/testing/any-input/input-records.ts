import { randomBytes, randomUUID } from 'node:crypto';
import { feedKinds, type StaffRole } from '@keyturn/contract/staff';
import {
  buildBill,
  buildCase,
  buildPayment,
  buildStoredDocument,
  ownCard,
  type TestServer,
} from '@keyturn/testkit';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import { staffFactorTables } from '../../schema/tables/factor-tables.ts';
import { type FeedScope, feedKeySecrets, feedKeys } from '../../schema/tables/feed-key-tables.ts';
import { buildStaff, startStaffSession } from '../serve-staff.ts';
import { signInWithHalves } from '../sign-in-with-halves.ts';
import type { SenderName } from './requests.ts';

type Headers = Record<string, string>;

/** The records that inputs refer to, and the callers who send inputs. */
export interface InputRecords {
  /** Signs a sender in. */
  signIn(sender: string): Promise<Headers>;
  /** Replaces names such as `@@matters@@`. */
  resolve(text: string): string;
  /** Returns the ids of the records that a sender must not be able to change. */
  othersIds(sender: string): readonly string[];
}

/** What needs no server in this process. */
type RecordsServer = Pick<TestServer, 'database' | 'pool' | 'files' | 'url' | 'signInAs'>;

/**
 * Builds a case with two clients, another one, staff and keys.
 * @param takeIds returns the ids in the rows that have changed since its last call
 */
export async function buildInputRecords(
  server: RecordsServer,
  takeIds: () => Promise<string[]>,
): Promise<InputRecords> {
  const { database } = server;
  await takeIds();
  const other = await buildCase(database, { history: [{}], tasks: [{}] });
  const idsOfOther = await takeIds();
  const built = await buildCase(database, {
    clients: [{}, {}],
    matters: [{ searches: [{}, {}] }],
    history: [{}],
    tasks: [{}],
  });
  const [owner = '', joint = ''] = built.clientIds;
  await buildBill(database, { caseId: built.id });
  await buildStoredDocument(database, server.files, { matterId: built.matterId, signing: 'simple' });
  await buildPayment(database, { caseId: built.id, clientId: owner });
  await fetch(`${server.url}/api/case-searches/${built.caseSearchId}/payments`, {
    method: 'POST',
    headers: { ...(await server.signInAs(owner)), 'content-type': 'application/json' },
    body: JSON.stringify(ownCard),
  });
  const idsOfBuilt = await takeIds();
  const staff = {} as Record<StaffRole, string>;
  for (const role of ['handler', 'finance', 'admin'] as const) staff[role] = await addStaff(server, role);
  await server.pool.query('update feed_keys set revoked_at = now() where revoked_at is null');
  const access = feedKinds.map((list) => [`${list}:read`, `${list}:write`] as [FeedScope, FeedScope]);
  const reading: FeedScope[] = [...access.map(([read]) => read), 'changes:read'];
  const writing = access.map(([, write]) => write);
  const signIns: Record<SenderName, () => Promise<Headers>> = {
    'no one': async () => ({}),
    client: () => server.signInAs(owner, { isSteppedUp: true }),
    'joint client': () => server.signInAs(joint, { isSteppedUp: true }),
    'other client': () => server.signInAs(other.clientId, { isSteppedUp: true }),
    'client with a cookie': () => signInWithHalves(server, owner),
    'token without its cookie': async () => without('cookie', await signInWithHalves(server, owner)),
    'revoked client': async () => {
      const headers = await server.signInAs(owner);
      await fetch(`${server.url}/api/logout`, { method: 'POST', headers });
      return headers;
    },
    handler: () => startStaffSession(server, staff.handler),
    finance: () => startStaffSession(server, staff.finance),
    admin: () => startStaffSession(server, staff.admin),
    'admin without CSRF token': async () =>
      without('x-csrf-token', await startStaffSession(server, staff.admin)),
    'revoked admin': async () => {
      const headers = await startStaffSession(server, staff.admin);
      await server.pool.query('delete from staff_sessions where staff_id = $1', [staff.admin]);
      return headers;
    },
    'read feed key': () => addKey(server, reading),
    'write feed key': () => addKey(server, writing),
    'revoked feed key': async () => {
      const headers = await addKey(server, writing);
      await server.pool.query('update feed_keys set revoked_at = now()');
      return headers;
    },
  };
  const rows = await readLastRows(server);
  return {
    signIn: (sender) => signIns[sender as SenderName](),
    resolve: (text) =>
      text.replaceAll(/@@(\w+)(?:\.(\w+))?@@/g, (_name, table: string, column = 'id') =>
        String(rows.get(table)?.[column] ?? '00000000-0000-4000-8000-000000000000'),
      ),
    othersIds: (sender) =>
      sender === 'other client' ? idsOfBuilt : sender.includes('client') ? idsOfOther : [],
  };
}

/** Adds a member with a passkey. */
async function addStaff(server: RecordsServer, role: StaffRole): Promise<string> {
  const { id } = await buildStaff(server, { role, withFactor: false });
  const now = new Date();
  await server.database.insert(staffFactorTables.factors).values({
    id: randomUUID(),
    ownerId: id,
    kind: 'passkey',
    name: 'Laptop',
    createdAt: now,
    activeAt: now,
    credentialId: randomBytes(16).toString('base64url'),
    publicKey: randomBytes(77),
    counter: 0,
  });
  return id;
}

function without(name: string, { [name]: _left, ...headers }: Headers): Headers {
  return headers;
}

/** Adds a key directly, because an installation can have only 50. */
async function addKey({ database }: RecordsServer, scopes: FeedScope[]): Promise<Headers> {
  const [id, createdAt] = [randomUUID(), new Date()];
  const secret = `kt_feed_${randomBytes(32).toString('base64url')}`;
  await database.insert(feedKeys).values({ id, name: 'Case management', scopes, createdAt });
  await database.insert(feedKeySecrets).values({ hash: hashToken(secret), ownerId: id, createdAt });
  return { authorization: `Bearer ${secret}` };
}

/**
 * Reads the row of each table that was written last. Its place in the table does not tell: PostgreSQL reuses the space of
 * rows that an earlier test has deleted.
 */
async function readLastRows({ pool }: RecordsServer): Promise<Map<string, Record<string, unknown>>> {
  const { rows: tables } = await pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found = new Map<string, Record<string, unknown>>();
  for (const { name } of tables) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from "${name}" t order by xmin::text::bigint desc, ctid desc limit 1`,
    );
    if (rows[0]) found.set(name, rows[0].row);
  }
  return found;
}
