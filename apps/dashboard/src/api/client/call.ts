import type { CallBody, CallKey, CallParams, CallQuery } from '@keyturn/contract';
import type { Answer } from '../checks/answer-checks.ts';
import { type LocalErrorCode, localFailure } from './api-error.ts';
import { isFileAnswer, readAnswer, readErrorResponse } from './read-answer.ts';

/** A required member for what a call takes, none for what it does not. */
type Taken<Name extends string, T> = [T] extends [undefined] ? unknown : { [K in Name]: T };
type MaybeTaken<Name extends string, T> = [T] extends [undefined] ? unknown : { [K in Name]?: T };

type CallInput<K extends CallKey> = Taken<'params', CallParams<K>> &
  MaybeTaken<'query', CallQuery<K>> &
  (K extends 'POST /case-searches/{id}/payments'
    ? MaybeTaken<'body', CallBody<K>>
    : Taken<'body', CallBody<K>>) & {
    /** `Idempotency-Key`, for the calls that start a payment. */
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** Asked by the page itself and not by the client: it does not prolong the session. */
    background?: boolean;
    /** Lets the request outlive the page. */
    keepalive?: boolean;
    /** Milliseconds; 20 seconds unless told. */
    timeout?: number;
    /** Instead of the token that is kept. */
    authorization?: string;
  };

/**
 * Makes one call of the contract and gives its unwrapped answer.
 * @throws ApiError for every failure; the signal's reason when the caller aborted
 */
export type Call = <K extends CallKey>(key: K, input: CallInput<K>) => Promise<Answer<K>>;

export interface CallOptions {
  /** Without a slash at its end: `/api`, or another origin's. */
  baseUrl: string;
  /** `Bearer …`, or null when signed out. */
  authorization(): string | null;
  /** The server did not know the token that went with a request. */
  onUnauthenticated(authorization: string): void;
  /** The server is in maintenance, or a part of it is. */
  onMaintenance?(): void;
  /** The call failed, whether foreseen or not. */
  onFailure?(error: unknown): void;
  /** Whether the client did something since the last request that told so. */
  consumeActivity?(): boolean;
  /** Of the real-time channel, while it is connected: what this request changes is not told to who made it. */
  socketId?(): string | null;
  fetch?: typeof globalThis.fetch;
  isOnline?(): boolean;
}

/** The only place that fetches. */
export function createCall(options: CallOptions): Call {
  const {
    baseUrl,
    // As it is at the time: what reports errors comes later, and listens there.
    fetch = (address, request) => globalThis.fetch(address, request),
    isOnline = () => navigator.onLine !== false,
  } = options;

  return async (key, input) => {
    const request: LooseInput = input;
    const [method = 'GET', path = ''] = key.split(' ');
    const authorization = request.authorization ?? options.authorization();
    const checks = import('../checks/answer-checks.ts');
    // It is asked for below; until then a failure of it is nobody's surprise.
    checks.catch(() => undefined);
    const limit = limitTime(request.timeout ?? 20_000, request.signal);
    const failed = (code: LocalErrorCode) => {
      if (request.signal?.aborted) throw request.signal.reason;
      return localFailure(limit.isOver() ? 'timed_out' : isOnline() ? code : 'offline');
    };

    try {
      const response = await fetch(baseUrl + fillIn(path, request.params) + queryOf(request.query), {
        method,
        headers: headersOf(request, authorization, options),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        signal: limit.signal,
        keepalive: request.keepalive ?? false,
        // The bearer token is the only credential.
        credentials: 'omit',
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
        const refusal = readErrorResponse(response, text);
        if (refusal.status === 401 && authorization && key !== 'POST /login')
          options.onUnauthenticated(authorization);
        if (refusal.code === 'maintenance') options.onMaintenance?.();
        throw refusal;
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

/** The input as the transport sees it: whatever the call, these members or none. */
interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  background?: boolean;
  keepalive?: boolean;
  timeout?: number;
  authorization?: string;
}

const fillIn = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function queryOf(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function headersOf(
  { background, body, idempotencyKey }: LooseInput,
  authorization: string | null,
  { consumeActivity, socketId }: Pick<CallOptions, 'consumeActivity' | 'socketId'>,
) {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (authorization) headers.Authorization = authorization;
  if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
  const socket = socketId?.();
  if (socket) headers['X-Socket-Id'] = socket;
  const isUse = consumeActivity?.();
  if (background && !isUse) headers['X-Activity'] = 'background';
  return headers;
}

/** A signal that follows the caller's and ends after so many milliseconds. */
function limitTime(milliseconds: number, caller?: AbortSignal) {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort();
  }, milliseconds);
  const follow = () => controller.abort();
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    isOver: () => over,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
