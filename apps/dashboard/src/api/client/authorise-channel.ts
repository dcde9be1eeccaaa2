import type {
  AuthoriseChannel,
  ChannelAnswer,
  ChannelRequest,
} from '@keyturn/browser/channel/authorisation.ts';
import { type Check, isInteger, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';
import type { AuthStore } from '../session/auth-store.ts';

export interface AuthorisationOptions {
  apiBaseUrl: string;
  /**
   * Receives the period, in milliseconds, over which the server asks this client to spread its fetches: it is longer
   * when more clients connect at the same time.
   */
  onRefetchWithin?(milliseconds: number): void;
  fetch?: typeof globalThis.fetch;
  cookies?(): string;
}

/**
 * Creates the function that authorises channels. Channels that are requested together share one request, as a list. A
 * server that does not know lists, such as Laravel, gets one request for each channel.
 */
export function createAuthoriseChannel(
  auth: Pick<AuthStore, 'credential' | 'reject'>,
  options: AuthorisationOptions,
): AuthoriseChannel {
  const send = createSend(auth, options);
  let batch: Batch | null = null;
  let acceptsLists = true;

  const authoriseAlone = async (path: string, request: ChannelRequest): Promise<ChannelAnswer> => {
    const response = await send(path, request, auth.credential());
    return readAnswer(response.status, response.status === 200 ? await response.json() : null);
  };
  const authoriseList = async ({ path, socket_id, channels, credential }: Omit<Batch, 'answers'>) => {
    const response = await send(path, { socket_id, channel_name: channels }, credential);
    if (!listRejections.has(response.status)) assertAuthorised(response.status);
    const answer: unknown = response.status === 200 ? await response.json() : null;
    return isList(answer) ? new Map(Object.entries(answer.channels)) : null;
  };
  /** @returns the answers of all channels that are requested now; null if the server may not know lists */
  const authoriseTogether = (path: string, socket_id: string, channel: string): Batch['answers'] => {
    if (batch?.path !== path || batch.socket_id !== socket_id) {
      // Read now, because another sign-in may replace it before the request is sent.
      const request = { path, socket_id, channels: [], credential: auth.credential() };
      const answers = Promise.resolve().then(() => {
        batch = null;
        return authoriseList(request);
      });
      batch = { ...request, answers };
    }
    batch.channels.push(channel);
    return batch.answers;
  };

  return async (path, request) => {
    const { socket_id, channel_name } = request;
    if (channel_name === undefined || !acceptsLists) return authoriseAlone(path, request);
    const answers = await authoriseTogether(path, socket_id, channel_name);
    if (answers) {
      const answer = answers.get(channel_name);
      return readAnswer(hasStatus(answer) ? answer.status : 200, answer);
    }
    const answer = await authoriseAlone(path, request);
    acceptsLists = false;
    return answer;
  };
}

/** The channels of one connection that share the request sent after the current task. */
interface Batch {
  path: string;
  socket_id: string;
  channels: string[];
  credential: string | null;
  answers: Promise<Map<string, unknown> | null>;
}

/** The statuses with which servers reject a list because they expect a name. */
const listRejections = new Set([400, 403, 422, 500]);

/**
 * Creates the function that sends a request. Like every call it uses the API's origin and the current sign-in, which a
 * 401 ends. Unlike calls it always sends cookies, with the CSRF token if an external server has set one.
 */
function createSend(
  auth: Pick<AuthStore, 'credential' | 'reject'>,
  {
    apiBaseUrl,
    onRefetchWithin,
    fetch = globalThis.fetch.bind(globalThis),
    cookies = () => document.cookie,
  }: AuthorisationOptions,
) {
  return async (path: string, body: object, credential: string | null): Promise<Response> => {
    const endpoint = apiBaseUrl.startsWith('/') ? path : new URL(path, apiBaseUrl).href;
    const csrf = csrfToken(cookies());
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Activity': 'background',
        ...(credential ? { Authorization: credential } : {}),
        ...(csrf ? { 'X-XSRF-TOKEN': csrf } : {}),
      },
      body: JSON.stringify(body),
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    // A late 401 may be about an older sign-in than the current one.
    if (response.status === 401 && credential && credential === auth.credential()) auth.reject();
    const within = Number(response.headers.get('x-refetch-within'));
    if (within >= 0 && within <= maxRefetchWithin) onRefetchWithin?.(within);
    return response;
  };
}

/** Milliseconds. */
const maxRefetchWithin = 60_000;

/** @throws Error unless the status is 200 */
function assertAuthorised(status: number): void {
  if (status !== 200) throw new Error(`the channel was rejected with ${status}`);
}

function readAnswer(status: number, answer: unknown): ChannelAnswer {
  assertAuthorised(status);
  if (!isAnswer(answer)) throw new Error('the answer about the channel could not be read');
  const { auth, channel_data, user_data } = answer;
  return {
    auth,
    ...(channel_data === undefined ? {} : { channel_data }),
    ...(user_data === undefined ? {} : { user_data }),
  };
}

const isMaybeText: Check<string | undefined> = (value): value is string | undefined =>
  value === undefined || isString(value);

const hasAuth = isObjectOf<{ auth: string }>({ auth: isString });
const isAnswer: Check<ChannelAnswer> = (value): value is ChannelAnswer => {
  if (!hasAuth(value)) return false;
  const { channel_data, user_data } = value as Record<string, unknown>;
  return isMaybeText(channel_data) && isMaybeText(user_data);
};

const hasStatus = isObjectOf<{ status: number }>({ status: isInteger });
const isList = isObjectOf<{ channels: object }>({
  channels: (value): value is object => typeof value === 'object' && value !== null,
});

/** Reads the CSRF token from the cookie that Laravel sets. */
function csrfToken(cookies: string): string | null {
  const found = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(cookies)?.[1];
  try {
    return found ? decodeURIComponent(found) : null;
  } catch {
    return null;
  }
}
