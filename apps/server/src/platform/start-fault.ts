import { describeError } from './describe-error.ts';
import { ScannerUnavailable } from './files/find-malware.ts';
import { FileStoreUnavailable, reasonOf } from './stored-file.ts';

/**
 * Thrown for a failed start that the operator can fix. Its message is one line that says what to do; it is printed
 * without a stack.
 */
export class StartFault extends Error {
  override name = 'StartFault';
}

/** Describes why a start or a command failed: in one line if the operator can fix it, otherwise with the stack. */
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
  if (error instanceof FileStoreUnavailable) return `${reasonOf(error)}.`;
  if (error instanceof ScannerUnavailable) return error.reason;
  const { code, port, path } = error as { code?: string; port?: number; path?: string };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program: set PORT to a free port, for example PORT=${(port ?? 4720) + 1}.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'HOST is not an address of this machine: set it to one of its addresses.';
  if (code === 'ENOSPC' || code === '53100') return 'The disk is full: free some space and start again.';
  if (code === 'EACCES' && port !== undefined)
    return `This user may not use port ${port}: set PORT to a port above 1023.`;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
    return `${path ?? 'The data directory'} is not writable: grant this user write access, or set KEYTURN_DATA_DIR.`;
  }
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `${path ?? 'KEYTURN_DATA_DIR'} is not a folder: set KEYTURN_DATA_DIR to a folder.`;
  return undefined;
}
