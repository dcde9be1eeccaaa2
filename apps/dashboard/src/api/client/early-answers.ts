/** The requests that `public/before-paint.js` has sent while the code of the dashboard was loading. */
export interface EarlyRequests {
  /** The `Authorization` header of every request. */
  credential: string;
  /** Milliseconds of this browser’s clock. */
  sentAt: number;
  /** By URL. */
  answers: Record<string, Promise<Response>>;
}

declare global {
  interface Window {
    keyturnEarlyRequests?: EarlyRequests;
  }
}

/** The maximum age of an early answer; after that, the data may have changed and is fetched again. */
const maxAgeMs = 10_000;

/**
 * Creates a `fetch` that gives the first request for a URL the answer of the early request of the same sign-in. An
 * early request that failed is sent again.
 */
export function fetchWithEarlyAnswers(early: EarlyRequests | undefined, now = Date.now): typeof fetch {
  const answers = new Map(Object.entries(early?.answers ?? {}));
  return (address, request) => {
    // Looked up at each call, because error reporting replaces `fetch` later.
    const send = () => globalThis.fetch(address, request);
    const answer = answers.get(String(address));
    const credential = new Headers(request?.headers).get('Authorization');
    const isSame = request?.method === 'GET' && credential === early?.credential;
    if (!early || !answer || !isSame || now() - early.sentAt > maxAgeMs) return send();
    answers.delete(String(address));
    return untilAborted(answer.catch(send), request.signal);
  };
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
  return Promise.race([work, aborted]);
}
