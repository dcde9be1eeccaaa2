import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '@keyturn/contract';
import type { Check } from '../checks/check.ts';
import { type LocalErrorCode, localFailure } from './api-error.ts';
import { readAnswer, readErrorResponse } from './read-answer.ts';
import type { sendFile } from './send-file.ts';

/** A required member if the call has such an input, an optional one if all its properties are optional, or none. */
type WithInput<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : object extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** The input of a call, by its definition in the contract. */
export type CallInput<Call> = WithInput<'params', ParamsOf<Call>> &
  WithInput<'query', QueryOf<Call>> &
  (Call extends { body: { optional: true } } ? { body?: BodyOf<Call> } : WithInput<'body', BodyOf<Call>>) &
  (Call extends { upload: object }
    ? Pick<Required<RequestInput>, 'file'> & Pick<RequestInput, 'onProgress'>
    : unknown) &
  Pick<RequestInput, 'signal' | 'background' | 'keepalive' | 'timeout'>;

/** The result of a call: a Blob for a file, undefined for an answer without a body. */
export type CallResult<Call> = Call extends { file: readonly string[] } ? Blob : AnswerOf<Call>;

/**
 * Makes one call of an API and returns the `data` of its answer, the whole answer if it has a `meta`, or the file.
 * @throws ApiError for every failure; the signal's reason if the caller aborted
 */
export type MakeCall<Calls, Additional = unknown> = <K extends keyof Calls>(
  key: K,
  ...input: object extends CallInput<Calls[K]>
    ? [input?: CallInput<Calls[K]> & Additional]
    : [input: CallInput<Calls[K]> & Additional]
) => Promise<CallResult<Calls[K]>>;

/** The input of any call, and how it is sent. */
export interface RequestInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  file?: Blob;
  /** Called with the fraction of the file that has arrived, from 0 to 1. */
  onProgress?(part: number): void;
  signal?: AbortSignal;
  /**
   * Whether the page sends the request without action of the person at it, such as polling: it then extends the session
   * only if the person has been active meanwhile.
   */
  background?: boolean;
  /** Lets the request continue after the page is closed. */
  keepalive?: boolean;
  /** Milliseconds, 20,000 by default. For a file, the time without progress, 60,000 by default. */
  timeout?: number;
  headers?: Readonly<Record<string, string>>;
  credentials?: RequestCredentials;
}

/** The answers of an API’s calls, by their key. */
export interface Answers {
  /** Null for a call that answers with a file or with nothing. */
  answerChecks: Readonly<Record<string, Check<unknown> | null>>;
  /** The media types of the calls that answer with a file. */
  answerFiles: Readonly<Partial<Record<string, readonly string[]>>>;
}

export interface RequestOptions {
  /** `/api`, or a URL on another origin; without a trailing slash. */
  baseUrl: string;
  /** Loads the checks with the first request, so that the first view does not wait for them. */
  loadAnswers(): Promise<Answers>;
  /** Whether the person at the page has been active since the last call of this function. */
  consumeActivity?: (() => boolean) | undefined;
  /** Called when a request that extends the session was answered. */
  onExtended?: (() => void) | undefined;
  fetch?: typeof globalThis.fetch | undefined;
  /** Needed for calls that send a file. */
  sendFile?: typeof sendFile | undefined;
  isOnline?: (() => boolean) | undefined;
}

/**
 * Creates the function that sends the requests of an API.
 * @returns makes one call by its key and returns the answer, as `MakeCall` describes
 */
export function createRequest(
  options: RequestOptions,
): (key: string, input: RequestInput) => Promise<unknown> {
  const {
    // Looked up at each call, because error reporting replaces `fetch` later.
    fetch = (url, request) => globalThis.fetch(url, request),
    isOnline = () => navigator.onLine !== false,
  } = options;

  return async (key, input) => {
    const [method = 'GET', path = ''] = key.split(' ');
    const answers = options.loadAnswers();
    // Awaited below. Without this, an early failure would be reported as an unhandled rejection.
    answers.catch(() => undefined);
    const limit = createLimit(input.file ? null : (input.timeout ?? 20_000), input.signal);
    const failed = (code: LocalErrorCode) => {
      if (input.signal?.aborted) return input.signal.reason;
      return localFailure(limit.hasTimedOut() ? 'timed_out' : isOnline() ? code : 'offline');
    };
    const unreachable = () => {
      throw failed('unreachable');
    };
    const isBackground = input.background === true && !options.consumeActivity?.();
    const request = {
      method,
      headers: createHeaders(input, isBackground),
      signal: limit.signal,
    };
    const url = options.baseUrl + fillPath(path, input.params) + queryString(input.query);

    try {
      const answering =
        input.file && options.sendFile
          ? options.sendFile(url, {
              ...request,
              body: input.file,
              onProgress: input.onProgress,
              patience: input.timeout ?? 60_000,
              onStalled: limit.timeOut,
            })
          : fetch(url, {
              ...request,
              ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
              credentials: input.credentials ?? 'same-origin',
              keepalive: input.keepalive ?? false,
              cache: 'no-store',
              redirect: 'error',
            });
      const response = await answering.catch(unreachable);
      const { answerChecks, answerFiles } = await answers.catch(unreachable);
      if (!response.ok) throw readErrorResponse(response, await response.text().catch(unreachable));
      if (!isBackground) options.onExtended?.();
      const mediaTypes = answerFiles[key];
      if (mediaTypes) {
        // Rejects the page of a proxy or a captive portal.
        if (!mediaTypes.includes(mediaTypeOf(response))) throw localFailure('unreadable');
        return await response.blob().catch(unreachable);
      }
      return readAnswer<unknown>(await response.text().catch(unreachable), answerChecks[key] ?? null);
    } finally {
      limit.end();
    }
  };
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

function createHeaders({ body, file, headers }: RequestInput, isBackground: boolean) {
  return {
    Accept: 'application/json',
    ...headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    // The server recognises a file by its content.
    ...(file ? { 'Content-Type': 'application/octet-stream' } : {}),
    ...(isBackground ? { 'X-Activity': 'background' } : {}),
  };
}

const mediaTypeOf = ({ headers }: Response) =>
  (headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Creates a signal that aborts with the caller's signal, or after a timeout; null for none. */
function createLimit(milliseconds: number | null, caller?: AbortSignal) {
  const controller = new AbortController();
  let hasTimedOut = false;
  const timeOut = () => {
    hasTimedOut = true;
    controller.abort();
  };
  const timer = milliseconds === null ? undefined : setTimeout(timeOut, milliseconds);
  const follow = () => controller.abort();
  if (caller?.aborted) follow();
  caller?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    hasTimedOut: () => hasTimedOut,
    timeOut,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', follow);
    },
  };
}
