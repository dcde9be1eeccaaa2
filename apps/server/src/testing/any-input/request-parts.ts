import type { InputRecords } from './input-records.ts';
import type { HttpParts } from './raw-requests.ts';
import type { AnyRequest } from './requests.ts';
import { nextAddress } from './sender-addresses.ts';

/** A request in which names such as `@@matters@@` are to be replaced. */
export interface SentRequest {
  method: string;
  /** With its query. */
  path: string;
  sender: string;
  headers?: Record<string, string> | undefined;
  content?: string | Buffer | undefined;
}

export const toSentRequest = ({ method, path, query, sender, headers, body }: AnyRequest): SentRequest => ({
  method,
  path: `${path}${query && `?${query}`}`,
  sender,
  headers: { ...body?.headers, ...headers },
  content: body?.content,
});

/**
 * Replaces the names in a request.
 * @param signIn the headers of its signed-in sender
 */
export function partsOf(
  { method, path, headers, content = '' }: SentRequest,
  signIn: Record<string, string>,
  { resolve }: Pick<InputRecords, 'resolve'>,
): HttpParts {
  const all = {
    host: 'desk.example.test',
    origin: 'http://desk.example.test',
    'x-forwarded-for': nextAddress(),
    ...signIn,
    ...headers,
  };
  return {
    method,
    url: resolve(path) || '/',
    headers: Object.entries(all),
    content: typeof content === 'string' ? Buffer.from(resolve(content)) : content,
  };
}
