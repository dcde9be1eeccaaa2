import { type LocalErrorCode, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { isFileAnswer, readAnswer, readErrorResponse } from '@keyturn/browser/calls/read-answer.ts';
import type { CallBody, CallKey, CallParams, CallQuery } from '@keyturn/contract';
import type { Answer } from '../checks/answer-checks.ts';
import { cookieCalls } from '../checks/cookie-calls.ts';
import { type Credential, headersOf, needsCookie } from '../session/credential.ts';
import { fetchWithEarlyAnswers } from './early-answers.ts';

/** A required member if the call has such an input, otherwise none. */
type WithInput<Name extends string, T> = [T] extends [undefined] ? unknown : { [K in Name]: T };
type WithOptionalInput<Name extends string, T> = [T] extends [undefined] ? unknown : { [K in Name]?: T };

type CallInput<K extends CallKey> = WithInput<'params', CallParams<K>> &
  WithOptionalInput<'query', CallQuery<K>> &
  (K extends 'POST /case-searches/{id}/payments'
    ? WithOptionalInput<'body', CallBody<K>>
    : WithInput<'body', CallBody<K>>) & {
    /** `Idempotency-Key`, for the calls that start a payment. */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** Sent by the page and not by the client, so that it does not extend the session. */
    background?: boolean;
    /** Lets the request continue after the page is closed. */
    keepalive?: boolean;
    /** Milliseconds, 20,000 by default. */
    timeout?: number;
    /** Used instead of the credential of the stored sign-in. */
    credential?: Credential;
  };

/**
 * Makes one call of the contract and returns its unwrapped answer.
 * @throws ApiError for every failure; the signal's reason if the caller aborted
 */
export type Call = <K extends CallKey>(key: K, input: CallInput<K>) => Promise<Answer<K>>;

export interface CallOptions {
  /** `/api`, or a URL on another origin; without a trailing slash. */
  baseUrl: string;
  /** Null when signed out. */
  credential(): Credential | null;
  /** Whether a sign-in is stored in a cookie that scripts cannot read. */
  signsInWithCookie?: boolean;
  /** Called when the server rejected the credential of a request. */
  onUnauthenticated(credential: Credential): void;
  /** Called when the server, or a part of it, is in maintenance. */
  onMaintenance?(): void;
  /** Called for every failed call, with expected and unexpected errors. */
  onFailure?(error: unknown): void;
  /** Whether the client has been active since the last call of this function. */
  consumeActivity?(): boolean;
  /** The socket id of the real-time connection: the server does not send it the events of its own requests. */
  socketId?(): string | null;
  fetch?: typeof globalThis.fetch;
  isOnline?(): boolean;
}

/** Creates the function that makes all calls of the client API. */
export function createCall(options: CallOptions): Call {
  const {
    baseUrl,
    fetch = fetchWithEarlyAnswers(undefined),
    isOnline = () => navigator.onLine !== false,
  } = options;

  return async (key, input) => {
    const request: LooseInput = input;
    const [method = 'GET', path = ''] = key.split(' ');
    const credential = request.credential ?? options.credential();
    const checks = import('../checks/answer-checks.ts');
    // Awaited below. Without this, an early failure would be reported as an unhandled rejection.
    checks.catch(() => undefined);
    const limit = createTimeout(request.timeout ?? 20_000, request.signal);
    const failed = (code: LocalErrorCode) => {
      if (request.signal?.aborted) throw request.signal.reason;
      return localFailure(limit.hasTimedOut() ? 'timed_out' : isOnline() ? code : 'offline');
    };

    try {
      const response = await fetch(baseUrl + fillPath(path, request.params) + queryString(request.query), {
        method,
        headers: createHeaders(request, credential, options),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        signal: limit.signal,
        keepalive: request.keepalive ?? false,
        // A cookie makes the device known when signing in. Browsers clear the cache after signing out only if the request
        // may carry cookies.
        credentials: needsCookie(credential) || cookieCalls.includes(key) ? 'include' : 'omit',
        cache: 'no-store',
        redirect: 'error',
      }).catch(() => {
        throw failed('unreachable');
      });
      const unreachable = () => {
        throw failed('unreachable');
      };
      const { answerChecks, fileCalls } = await checks.catch(unreachable);
      if (response.ok && fileCalls.includes(key)) {
        if (!isFileAnswer(response)) throw localFailure('unreadable');
        return (await response.blob().catch(unreachable)) as never;
      }
      const text = await response.text().catch(unreachable);
      if (!response.ok) {
        const error = readErrorResponse(response, text);
        if (error.status === 401 && credential && key !== 'POST /login')
          options.onUnauthenticated(credential);
        if (error.code === 'maintenance') options.onMaintenance?.();
        throw error;
      }
      return readAnswer(text, answerChecks[key]);
    } catch (error) {
      options.onFailure?.(error);
      throw error;
    } finally {
      limit.end();
    }
  };
}

/** The input of any call, for the code that does not depend on the call. */
interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  background?: boolean;
  keepalive?: boolean;
  timeout?: number;
  credential?: Credential;
}

const fillPath = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function queryString(query: Record<string, unknown> = {}): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  return parameters.length === 0
    ? ''
    : `?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`;
}

function createHeaders(
  { background, body, idempotencyKey }: LooseInput,
  credential: Credential | null,
  {
    consumeActivity,
    socketId,
    signsInWithCookie,
  }: Pick<CallOptions, 'consumeActivity' | 'socketId' | 'signsInWithCookie'>,
) {
  const headers: Record<string, string> = { Accept: 'application/json', ...headersOf(credential) };
  if (signsInWithCookie && !credential) headers['X-Session'] = 'cookie';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  const socket = socketId?.();
  if (socket) headers['X-Socket-Id'] = socket;
  const isActive = consumeActivity?.();
  if (background && !isActive) headers['X-Activity'] = 'background';
  return headers;
}

/** Creates a signal that aborts with the caller's signal, or after a timeout. */
function createTimeout(milliseconds: number, caller?: AbortSignal) {
  const controller = new AbortController();
  let hasTimedOut = false;
  const timer = setTimeout(() => {
    hasTimedOut = true;
    controller.abort();
  }, milliseconds);
  const follow = () => controller.abort();
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    hasTimedOut: () => hasTimedOut,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
