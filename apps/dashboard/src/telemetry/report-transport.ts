import { makeFetchTransport } from '@sentry/react';
import { removeSecrets } from './remove-secrets.ts';

type Transport = ReturnType<typeof makeFetchTransport>;

/**
 * Sends to the collector and asks nothing of it: no longer than ten seconds, without credentials, wherever it leads.
 * When it fails, it is left alone for a growing while, so that nobody's console or connection is filled.
 */
export function createReportTransport(
  options: Parameters<typeof makeFetchTransport>[0],
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Transport {
  let failures = 0;
  const patiently: typeof fetch = async (address, request) => {
    const answer = await fetch(address, {
      ...request,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(patience),
    }).catch(() => null);
    // What it asks for by 429 itself is kept to.
    if (answer?.ok || answer?.status === 429) {
      failures = 0;
      return answer;
    }
    failures += 1;
    const pause = Math.min(firstPause * 2 ** (failures - 1), longestPause);
    return new Response(null, { status: 429, headers: { 'Retry-After': String(pause) } });
  };
  const transport = makeFetchTransport(options, patiently);
  return { ...transport, send: (envelope) => transport.send(removeSecrets(envelope)) };
}

/** Milliseconds. */
const patience = 10_000;
/** Seconds. */
const firstPause = 60;
const longestPause = 3_600;
