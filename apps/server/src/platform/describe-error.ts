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
    message: source.message.slice(0, maxMessage),
    code: typeof code === 'string' ? code : undefined,
    statement: isQueryError ? statement : undefined,
    stack: framesOf(error),
  };
}

/** Characters. A message may repeat the input that caused it. */
const maxMessage = 2_000;

/** Returns the stack without its first lines, which repeat the message. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
