// @ts-check

/*
 * Exits with 0 if the server in this container answers, and with 1 if not. Whether it is ready to accept requests is
 * another question, for the proxy: a server that waits for its database must not be restarted.
 *
 *   node deploy/check-health.mjs
 */

const { HOST: host = '127.0.0.1', PORT: port = '4720' } = process.env;
const isAnyAddress = host === '0.0.0.0' || host === '::';
const name = isAnyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
try {
  const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
