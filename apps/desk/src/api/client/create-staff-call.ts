import { ApiError, type LocalErrorCode, localFailure } from '@keyturn/browser/calls/api-error.ts';
import { readAnswer, readErrorResponse } from '@keyturn/browser/calls/read-answer.ts';
import type { Check } from '@keyturn/browser/checks/check.ts';
import type {
  StaffCallBody,
  StaffCallKey,
  StaffCallParams,
  StaffCallQuery,
  StaffCalls,
} from '@keyturn/contract/staff';
import type { StaffAnswer } from '../checks/staff-checks.ts';
import { sendFile } from './send-file.ts';
import { codeOf } from './staff-error.ts';

/** A required member if the call has such an input, an optional one if all its properties are optional, or none. */
type WithInput<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

export type StaffCallInput<K extends StaffCallKey> = WithInput<'params', StaffCallParams<K>> &
  WithInput<'query', StaffCallQuery<K>> &
  WithInput<'body', StaffCallBody<K>> &
  (StaffCalls[K] extends { upload: object }
    ? {
        file: Blob;
        /** Called with the fraction that has arrived, from 0 to 1. */
        onProgress?(part: number): void;
      }
    : unknown) & {
    signal?: AbortSignal;
    /**
     * Whether the page sends the request without action of the member, such as polling: it then extends the session
     * only if the member has been active meanwhile. True for reads by default.
     */
    background?: boolean;
    /** Milliseconds, 20,000 by default. For a file, the time without progress, 60,000 by default. */
    timeout?: number;
  };

/**
 * Makes one call of the staff API and returns the `data` of its answer, or the file.
 * @throws ApiError for every failure; the signal's reason if the caller aborted
 */
export type CallStaff = <K extends StaffCallKey>(
  key: K,
  ...input: object extends StaffCallInput<K> ? [input?: StaffCallInput<K>] : [input: StaffCallInput<K>]
) => Promise<StaffAnswer<K>>;

export interface StaffCallOptions {
  /** The token of the session for requests that change something; null without a session. */
  csrfToken(): string | null;
  /** Called when the server no longer accepts the session. */
  onSignedOut(): void;
  /** Called when the session may only add a second factor. */
  onFactorRequired?(): void;
  /** Called when a request that extends the session was answered. */
  onExtended?(): void;
  /** Asks the member to confirm who they are. Resolves to false if they cancel. */
  confirmIdentity(): Promise<boolean>;
  /** Whether the member has been active since the last call of this function. */
  consumeActivity?(): boolean;
  fetch?: typeof globalThis.fetch;
  sendFile?: typeof sendFile;
  isOnline?(): boolean;
}

/** Creates the function that makes all calls of the staff API. */
export function createStaffCall(options: StaffCallOptions): CallStaff {
  const { isOnline = () => navigator.onLine !== false } = options;
  const send = async (key: StaffCallKey, input: LooseInput): Promise<unknown> => {
    const [method = 'GET', path = ''] = key.split(' ');
    const checks = import('../checks/staff-checks.ts');
    // Awaited below. Without this, an early failure would be reported as an unhandled rejection.
    checks.catch(() => undefined);
    const stalled = new AbortController();
    const timeout = input.file ? stalled.signal : AbortSignal.timeout(input.timeout ?? 20_000);
    const failed = (code: LocalErrorCode) => {
      if (input.signal?.aborted) return input.signal.reason;
      return localFailure(timeout.aborted ? 'timed_out' : isOnline() ? code : 'offline');
    };
    const unreachable = () => {
      throw failed('unreachable');
    };
    const isBackground = (input.background ?? method === 'GET') && !options.consumeActivity?.();
    const url = `/api${fillPath(path, input.params)}${queryString(input.query)}`;
    const request = {
      method,
      headers: createHeaders(method, input, { isBackground, csrfToken: options.csrfToken() }),
      signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
    };
    const answering = input.file
      ? (options.sendFile ?? sendFile)(url, {
          ...request,
          body: input.file,
          onProgress: input.onProgress,
          patience: input.timeout ?? 60_000,
          onStalled: () => stalled.abort(),
        })
      : (options.fetch ?? fetch)(url, {
          ...request,
          ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
          credentials: 'same-origin',
          cache: 'no-store',
          redirect: 'error',
        });
    const response = await answering.catch(unreachable);
    const { staffChecks, staffFiles } = await checks.catch(unreachable);
    if (!response.ok) throw readErrorResponse(response, await response.text().catch(unreachable));
    if (!isBackground) options.onExtended?.();
    const mediaTypes = staffFiles[key];
    if (mediaTypes) {
      // Rejects the page of a proxy or a captive portal.
      if (!mediaTypes.includes(mediaTypeOf(response))) throw localFailure('unreadable');
      return response.blob().catch(unreachable);
    }
    return readAnswer<unknown>(
      await response.text().catch(unreachable),
      staffChecks[key] as Check<unknown> | null,
    );
  };

  const call = async (key: StaffCallKey, input: LooseInput = {}): Promise<unknown> => {
    try {
      return await send(key, input);
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof ApiError && error.status === 401 && code !== 'invalid_credentials')
        options.onSignedOut();
      if (code === 'factor_required' && key !== 'POST /staff/login') options.onFactorRequired?.();
      if (code !== 'identity_not_confirmed' || !(await options.confirmIdentity())) throw error;
      return send(key, input);
    }
  };
  return call as CallStaff;
}

/** The input of any call, for the code that does not depend on the call. */
interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
  background?: boolean;
  timeout?: number;
}

const fillPath = (path: string, params: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function queryString(query: Record<string, unknown> = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((item) => item !== undefined)
      .map((item) => [name, String(item)]),
  );
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
}

function createHeaders(
  method: string,
  { body, file }: LooseInput,
  { isBackground, csrfToken }: { isBackground: boolean; csrfToken: string | null },
) {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  // The server recognises a file by its content.
  if (file) headers['Content-Type'] = 'application/octet-stream';
  if (method !== 'GET' && csrfToken !== null) headers['X-CSRF-Token'] = csrfToken;
  if (isBackground) headers['X-Activity'] = 'background';
  return headers;
}

const mediaTypeOf = ({ headers }: Response) =>
  (headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
