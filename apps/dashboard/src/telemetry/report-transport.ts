import { makeFetchTransport } from '@sentry/react';
import { removeSecrets } from './remove-secrets.ts';

type Transport = ReturnType<typeof makeFetchTransport>;

/**
 * Creates a transport that sends reports to the collector without secrets, credentials or redirects, and waits at most
 * ten seconds. After a failure it backs off, so that a broken collector does not fill the console or the connection.
 */
export function createReportTransport(
  options: Parameters<typeof makeFetchTransport>[0],
  fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis),
): Transport {
  let failures = 0;
  const fetchWithBackOff: typeof fetch = async (address, request) => {
    const response = await fetch(address, {
      ...request,
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => null);
    // Sentry's transport honours the collector's own 429.
    if (response?.ok || response?.status === 429) {
      failures = 0;
      return response;
    }
    failures += 1;
    const pauseSeconds = Math.min(firstPauseSeconds * 2 ** (failures - 1), maxPauseSeconds);
    return new Response(null, { status: 429, headers: { 'Retry-After': String(pauseSeconds) } });
  };
  const transport = makeFetchTransport(options, fetchWithBackOff);
  return { ...transport, send: (envelope) => transport.send(removeSecrets(envelope)) };
}

const timeoutMs = 10_000;
const firstPauseSeconds = 60;
const maxPauseSeconds = 3_600;
