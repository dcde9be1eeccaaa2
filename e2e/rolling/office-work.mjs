// @ts-check
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/*
 * What the firm does while clients use its product: a member of staff works at the desk, and its case management sends
 * changes to the feed. Plain JavaScript, because benchmarks use it too.
 */

/** @typedef {Awaited<ReturnType<typeof addOffice>>} Office */

const contract = readFileSync(new URL('../../packages/testkit/fixtures/contract.pdf', import.meta.url));

/** @param {string} token */
const hash = (token) => createHash('sha256').update(token).digest();

/**
 * Adds a member of staff with a session, and a key of the feed, to a database with the demonstration firm.
 * @param {{ query(sql: string, values?: unknown[]): Promise<{ rows: any[] }> }} connection
 */
export async function addOffice(connection) {
  const [staffId, keyId] = [randomUUID(), randomUUID()];
  const token = `kt_staff_${randomBytes(32).toString('base64url')}`;
  const secret = `kt_feed_${randomBytes(32).toString('base64url')}`;
  // The feed refuses to change a demonstration.
  await connection.query(`update installation set holds = 'real'`);
  await connection.query(
    `insert into staff (id, email, name, role, state, password_hash, accepted_at, created_at, updated_at)
     values ($1, 'busy@firm.example', 'Rhian Morgan', 'admin', 'active', 'none', now(), now(), now())`,
    [staffId],
  );
  await connection.query(
    `insert into staff_factors (id, staff_id, kind, name, created_at, active_at, credential_id, public_key, counter)
     values (gen_random_uuid(), $1, 'passkey', 'Laptop', now(), now(), 'a', '\\x00', 0)`,
    [staffId],
  );
  await connection.query(
    `insert into staff_sessions (token_hash, id, staff_id, created_at, last_used_at, confirmed_at, expires_at, address)
     values ($1, gen_random_uuid(), $2, now(), now(), now(), now() + interval '1 hour', '203.0.113.7')`,
    [hash(token), staffId],
  );
  await connection.query(
    `insert into feed_keys (id, name, scopes, created_at)
     values ($1, 'Case management', '{cases:read,cases:write,changes:read}', now())`,
    [keyId],
  );
  await connection.query('insert into feed_key_secrets (hash, key_id, created_at) values ($1, $2, now())', [
    hash(secret),
    keyId,
  ]);
  const { rows } = await connection.query(
    `select c.id, c.reference, m.id as matter from conveyancing_cases c join matters m on m.case_id = c.id
     join case_clients cc on cc.case_id = c.id join clients on clients.id = cc.client_id
     where clients.email = 'amelia@example.test' order by c.reference, m.reference limit 1`,
  );
  const csrfToken = createHmac('sha256', token).update('changes by staff').digest('base64url');
  return {
    case: rows[0],
    staff: { cookie: `keyturn-staff=${token}`, 'x-csrf-token': csrfToken },
    feed: { authorization: `Bearer ${secret}` },
  };
}

/**
 * Reads the lists of the desk and a case, and shares a document for Amelia Okafor to sign.
 * @param {string} url @param {Office} office
 * @returns {Promise<string>} the id of the document
 * @throws Error if the status of an answer is not a success
 */
export async function workAtDesk(url, { staff, case: { id, matter } }) {
  const headers = { ...staff, origin: url };
  for (const path of ['today', 'cases', `cases/${id}`]) await send(`${url}/api/staff/${path}`, { headers });
  const file = Buffer.concat([contract, Buffer.from(`\n% ${randomUUID()}\n`)]);
  const { file_id } = await send(`${url}/api/staff/files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: file,
  });
  const { document } = await send(`${url}/api/staff/matters/${matter}/documents`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ file_id, file_name: 'contract.pdf', title: 'Contract', group: 'contract' },
      ...{ signing: 'simple', binds_on: 'exchange', confirm_identity: false, supersedes: null },
    }),
  });
  return document.id;
}

/**
 * Changes the title of a case, as case management does, and reads the events of clients.
 * @param {string} url @param {Office} office
 * @returns {Promise<string>} the title
 * @throws Error if the status of an answer is not a success
 */
export async function sendToFeed(url, { feed, case: { reference } }) {
  const path = `${url}/api/feed/cases/${encodeURIComponent(reference)}`;
  const stored = await send(path, { headers: feed });
  const title = `Sale and purchase ${randomUUID()}`;
  await send(path, {
    method: 'PUT',
    headers: { ...feed, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ ...stored, title }),
  });
  await send(`${url}/api/feed/changes?limit=100`, { headers: feed });
  return title;
}

/** @param {string} address @param {RequestInit} request @returns {Promise<any>} the data of the answer */
async function send(address, request) {
  const response = await fetch(address, request);
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${request.method ?? 'GET'} ${address}: ${response.status} ${text.slice(0, 300)}`);
  return text === '' ? null : JSON.parse(text).data;
}
