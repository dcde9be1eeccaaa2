// @ts-check
import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

/*
 * Publishes for bench/channel.mjs, with several requests in flight on connections that stay open. Arguments: URL, app as
 * JSON. Each message `{ channel, seconds }` starts a run; the answer is the number of publishes.
 */

const [url = '', json = '{}'] = process.argv.slice(2);
const app = JSON.parse(json);
const inFlight = Number(process.env.IN_FLIGHT ?? 16);
const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
const { hostname, port } = new URL(url);
/** @type {Map<string, { second: number, target: string, body: string }>} */
const signatures = new Map();
const path = `/apps/${app.appId}/events`;

process.on('disconnect', () => process.exit());
process.on('message', (message) => void run(/** @type {any} */ (message)));
process.send?.('open');

/** @param {{ channel: string, seconds?: number, count?: number }} run */
async function run({ channel, seconds, count }) {
  const until = performance.now() + (seconds ?? 0) * 1_000;
  let published = 0;
  const publishInTurn = async () => {
    while (count ? published < count : performance.now() < until) {
      published++;
      await publish(channel);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: count ? 1 : inFlight }, publishInTurn));
  process.send?.({ published, seconds: (performance.now() - startedAt) / 1_000 });
}

/** Publishes an event as large as Keyturn's. @param {string} channel @returns {Promise<void>} */
function publish(channel) {
  const { target, body } = signed(channel);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        hostname,
        port,
        path: target,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        response.resume();
        if (response.statusCode === 200) response.on('end', resolve);
        else reject(new Error(`a publish was answered with ${response.statusCode}`));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Creates a signature only once a second, because only the server is measured. @param {string} channel */
function signed(channel) {
  const second = Math.floor(Date.now() / 1_000);
  const known = signatures.get(channel);
  if (known?.second === second) return known;
  const data = JSON.stringify({ version: 123_456, ids: ['0b54b3ac-6d51-4b0e-b1c5-6f4d1b1c2d3e'] });
  const body = JSON.stringify({ name: 'App\\Events\\CaseUpdated', channel, data });
  const md5 = createHash('md5').update(body).digest('hex');
  const query = `auth_key=${app.key}&auth_timestamp=${second}&auth_version=1.0&body_md5=${md5}`;
  const signature = createHmac('sha256', app.secret).update(`POST\n${path}\n${query}`).digest('hex');
  const fresh = { second, body, target: `${path}?${query}&auth_signature=${signature}` };
  signatures.set(channel, fresh);
  return fresh;
}
