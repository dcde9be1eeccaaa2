import { describeError } from './describe-error.ts';

/**
 * A start that cannot go on, for a reason that whoever started it can mend. Its message is one line that says
 * what to do; it is printed without a stack.
 */
export class StartFault extends Error {
  override name = 'StartFault';
}

/** One line for what a person can mend; the whole story, with its stack, for what is a fault of ours. */
export function describeStartFailure(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const line = lineFor(cause);
    if (line) return line;
  }
  const { type, message, statement, stack } = describeError(error);
  return [`${type}: ${message}`, statement, stack].filter(Boolean).join('\n');
}

function lineFor(error: Error): string | undefined {
  if (error instanceof StartFault) return error.message;
  const { code, port, path } = error as { code?: string; port?: number; path?: string };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: set PORT to a free one, for example PORT=${(port ?? 4720) + 1}.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine: set it to one that is.';
  if (code === 'ENOSPC' || code === '53100') return 'The disk is full: free some space and start again.';
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} is not allowed to this user: set PORT to one above 1023.`;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return `${path ?? 'The data directory'} cannot be written: give this user the right to, or set KEYTURN_DATA_DIR.`;
  }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${path ?? 'KEYTURN_DATA_DIR'} is not a folder: set KEYTURN_DATA_DIR to one.`;
  return undefined;
}
