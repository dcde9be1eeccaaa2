// @ts-check

/*
 * Exits with 0 if the server in this container answers, and with 1 if not. With `readyz` it has to accept requests too:
 * only for a container that is not restarted if this fails, because a server that stops is not ready.
 *
 *   node deploy/check-health.mjs [readyz]
 */

const { HOST: host = '127.0.0.1', PORT: port = '4720' } = process.env;
const isAnyAddress = host === '0.0.0.0' || host === '::';
const name = isAnyAddress ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
try {
  const answer = await fetch(`http://${name}:${port}/${process.argv[2] ?? 'healthz'}`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
