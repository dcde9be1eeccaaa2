import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFloorSteps } from './measure-floor.ts';

/**
 * A bare server, as a baseline for ours. It does the minimum that a correct server must do for a payment: it receives
 * a request, finds the session of its token, and takes the steps of the floor with two writes. It checks and records
 * nothing else.
 */
const { STRIPE_URL = '', DATABASE_URL = '' } = process.env;
const { pool, steps } = await createFloorSteps(STRIPE_URL, DATABASE_URL);

const server = createServer((request, response) => {
  answer(request).then(
    (body) => response.end(body),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('disconnect', () => process.exit(0));

async function answer(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const confirmed: object = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const token = (request.headers.authorization ?? '').replace('Bearer ', '');
  const { rows } = await pool.query({
    name: 'find_session',
    text: 'select client_id from sessions where token_hash = $1 and revoked_at is null and expires_at > now()',
    values: [createHash('sha256').update(token).digest()],
  });
  if (rows.length === 0) throw new Error('no session');
  const clientSecret = await steps['two writes'](crypto.randomUUID());
  return JSON.stringify({ ...confirmed, client_secret: clientSecret });
}
