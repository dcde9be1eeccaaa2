/** An error as it may be written down: what went wrong and where, without the values it happened to. */
export interface ErrorStory {
  type: string;
  message: string;
  /** PostgreSQL's or Node's. */
  code: string | undefined;
  /** The statement that failed, with its values left as `$1`. */
  statement: string | undefined;
  stack: string;
}

/**
 * Drizzle puts the values of a failed statement into message and stack of its error, and PostgreSQL some into
 * `detail`: password hashes, tokens, names. None of them belongs into a log.
 */
export function describeError(error: unknown): ErrorStory {
  if (!(error instanceof Error)) {
    return { type: 'Thrown', message: String(error), code: undefined, statement: undefined, stack: '' };
  }
  const statement = (error as { query?: unknown }).query;
  const isOfStatement = typeof statement === 'string' && error.cause instanceof Error;
  const told = isOfStatement ? (error.cause as Error) : error;
  const { code } = told as { code?: unknown };
  return {
    type: told.name,
    message: told.message,
    code: typeof code === 'string' ? code : undefined,
    statement: isOfStatement ? statement : undefined,
    stack: framesOf(error),
  };
}

/** The stack without its head, which repeats the message. */
const framesOf = ({ stack = '' }: Error) =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
