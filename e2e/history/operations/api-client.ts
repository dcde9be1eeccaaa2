import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorBody } from '@keyturn/contract';
import type { ServerProcess } from '../system/server-processes.ts';
import type { Outcome } from './outcome.ts';

export interface ApiRequest {
  /** A number from 0 to 1 that chooses the server. */
  draw: number;
  method: string;
  path: string;
  body?: object | undefined;
  key?: string | undefined;
  /** Whether the request is idempotent; true by default. */
  isRepeatable?: boolean;
}

export interface Answer {
  status: number;
  body: unknown;
  /** Whether an earlier attempt at the same request may have been executed. */
  wasRepeated: boolean;
}

/** Makes the HTTP calls of one client's browser, which keeps a session. */
export interface ApiClient {
  token: string | undefined;
  /** Sends a request until its outcome is known. @returns null if it stays unknown */
  send(request: ApiRequest): Promise<Answer | null>;
  /** @returns the outcome of an unsuccessful request */
  failureOf(answer: Answer | null): Outcome;
}

/** The timeout of an attempt, in milliseconds. */
const tryTimeout = 10_000;
/** Milliseconds after which a client stops repeating a request. */
const patience = 30_000;

export const isSuccess = (answer: Answer | null): answer is Answer => answer !== null && answer.status < 300;

/**
 * Creates the client of one browser. Like the dashboard, it repeats unanswered requests at the next server with the
 * same idempotency key, because an outcome counts as unknown only if no retry reveals it.
 */
export function createApiClient(servers: readonly ServerProcess[]): ApiClient {
  const tryOnce = async (url: string, { method, path, body, key }: ApiRequest) => {
    try {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(client.token ? { authorization: `Bearer ${client.token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(tryTimeout),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch (error) {
      return wasRefused(error) ? 'not sent' : 'lost';
    }
  };
  const client: ApiClient = {
    token: undefined,
    send: async (request) => {
      const { isRepeatable = true } = request;
      const until = Date.now() + patience;
      const first = Math.floor(request.draw * servers.length);
      let wasRepeated = false;
      for (let tries = 0; ; tries += 1) {
        const url = servers[(first + tries) % servers.length]?.url() ?? '';
        const got = await tryOnce(url, request);
        const answer = typeof got === 'string' ? null : { ...got, wasRepeated };
        if (answer && !isUncertain(answer)) return answer;
        const isOver = Date.now() > until || (got !== 'not sent' && !isRepeatable);
        if (isOver) return answer;
        wasRepeated ||= got !== 'not sent';
        await pause(Math.min(50 * 2 ** tries, 1_000));
      }
    },
    failureOf: (answer) => {
      if (!answer) return { type: 'info', code: 'no answer' };
      const { code } = answer.body as ErrorBody;
      if (code === 'unauthenticated') client.token = undefined;
      const isKnown = answer.status < 500 || code === 'provider_unavailable' || code === 'payments_paused';
      return { type: isKnown ? 'fail' : 'info', code };
    },
  };
  return client;
}

/** Returns the data of a successful answer, in the shape that the contract defines for the call. */
export const dataOf = <Data>({ body }: Answer): Data => (body as { data: Data }).data;

/** Status codes that leave open whether the request had an effect. */
const isUncertain = ({ body }: Pick<Answer, 'body'>) =>
  ['unavailable', 'payment_being_checked'].includes((body as ErrorBody | null)?.code ?? '');

/** The connection was refused, so the request was certainly not executed. */
const wasRefused = (error: unknown) =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
