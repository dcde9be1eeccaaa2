/** An error as it may be logged: what went wrong and where, without the values involved. */
export interface ErrorDescription {
  type: string;
  message: string;
  /** The code of PostgreSQL or Node.js. */
  code: string | undefined;
  /** The statement that failed, with placeholders such as `$1` for its values. */
  statement: string | undefined;
  stack: string;
}

/**
 * Describes an error for the log. Drizzle puts the values of a failed statement into the message and stack of its
 * error, and PostgreSQL puts some into `detail`: password hashes, tokens and names must not reach a log.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) {
    return { type: 'Thrown', message: String(error), code: undefined, statement: undefined, stack: '' };
  }
  const statement = (error as { query?: unknown }).query;
  const isQueryError = typeof statement === 'string' && error.cause instanceof Error;
  const source = isQueryError ? (error.cause as Error) : error;
  const { code } = source as { code?: unknown };
  return {
    type: source.name,
    message: messageOf(source).slice(0, maxMessage),
    code: typeof code === 'string' ? code : undefined,
    statement: isQueryError ? statement : undefined,
    stack: framesOf(error),
  };
}

/** Returns the message. An error about the several addresses of one host has none, so those of its parts are joined. */
const messageOf = (error: Error): string =>
  error.message || (error instanceof AggregateError ? error.errors.map(messageOf).join(', ') : '');

/** Names the host and port of a URL for the log, without its user and password. */
export function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || defaultPorts[protocol]}`;
}

const defaultPorts: Record<string, number> = {
  'http:': 80,
  'https:': 443,
  'redis:': 6379,
  'rediss:': 6379,
  'smtp:': 587,
  'smtps:': 465,
};

/** Characters. A message may repeat the input that caused it. */
const maxMessage = 2_000;

/** Returns the stack without its first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
