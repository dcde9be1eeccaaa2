import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { createRequest, type MakeCall, type RequestInput } from '@keyturn/browser/calls/create-request.ts';
import type { Calls } from '@keyturn/contract';
import { cookieCalls } from '../checks/cookie-calls.ts';
import { type Credential, headersOf, needsCookie } from '../session/credential.ts';

interface ClientInput {
  /** `Idempotency-Key`, for the calls that start a payment. */
  idempotencyKey?: string;
  /** Used instead of the credential of the stored sign-in. */
  credential?: Credential;
}

/** Makes one call of the client API. */
export type Call = MakeCall<Calls, ClientInput>;

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
          ...headersOf(credential),
          ...(options.signsInWithCookie && !credential ? { 'X-Session': 'cookie' } : {}),
          ...(input.idempotencyKey ? { 'Idempotency-Key': input.idempotencyKey } : {}),
          ...(socket ? { 'X-Socket-Id': socket } : {}),
        },
        // A cookie makes the device known when signing in. Browsers clear the cache after signing out only if the request
        // may carry cookies.
        credentials: needsCookie(credential) || cookieCalls.includes(key) ? 'include' : 'omit',
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
