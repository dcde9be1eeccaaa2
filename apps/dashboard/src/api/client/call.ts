import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { createRequest, type MakeCall, type RequestInput } from '@keyturn/browser/calls/create-request.ts';
import type { Calls } from '@keyturn/contract';
import { cookieCalls } from '../checks/cookie-calls.ts';

interface ClientInput {
  /** `Idempotency-Key`, for the calls that start a payment. */
  idempotencyKey?: string;
  /** Used instead of that of the stored sign-in. */
  credential?: string;
}

/** Makes one call of the client API. */
export type Call = MakeCall<Calls, ClientInput>;

export interface CallOptions {
  /** `/api`, or a URL on another origin; without a trailing slash. */
  baseUrl: string;
  /** The `Authorization` header of the sign-in; null when signed out. */
  credential(): string | null;
  /** Whether the browser blocks cookies, so that a sign-in must not need one. */
  blocksCookies?: boolean;
  /** Called when the server rejected the sign-in of a request. */
  onUnauthenticated(credential: string): void;
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
  const { baseUrl, consumeActivity, fetch, isOnline } = options;
  const loadAnswers = () => import('../checks/answer-checks.ts');
  const request = createRequest({ baseUrl, loadAnswers, consumeActivity, fetch, isOnline });
  const call = async (key: string, input: RequestInput & ClientInput = {}): Promise<unknown> => {
    const credential = input.credential ?? options.credential();
    const socket = options.socketId?.();
    try {
      return await request(key, {
        ...input,
        headers: {
          ...(credential ? { Authorization: credential } : {}),
          ...(options.blocksCookies && !credential ? { 'X-Cookies': 'blocked' } : {}),
          ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
          ...(socket ? { 'X-Socket-Id': socket } : {}),
        },
        // On this origin, the token is accepted only with its cookie. On others, a cookie makes the device known when
        // signing in, and browsers clear the cache after signing out only if the request may carry cookies.
        credentials: cookieCalls.includes(key) ? 'include' : 'same-origin',
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : null;
      if (code === 'unauthenticated' && credential) options.onUnauthenticated(credential);
      if (code === 'maintenance') options.onMaintenance?.();
      options.onFailure?.(error);
      throw error;
    }
  };
  return call as Call;
}
