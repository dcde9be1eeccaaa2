/**
 * Tells whether an error ends by itself, so that the caller may try again: PostgreSQL is unreachable, shuts down, is out of
 * resources, or cancelled the statement; or this machine has no file descriptors or disk space left. Damaged
 * data is not among them, because its statements fail each time; a failing disk (58030) is, and counts as damage too.
 */
export function isTemporaryFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause);
    if (postgresCodes.test(code) || systemCodes.has(code) || driverMessages.test(cause.message)) return true;
    if (isConnecting(cause) && socketCodes.has(code)) return true;
  }
  return false;
}

/** Tells whether PostgreSQL cannot use its files: a page or an index is damaged, a file is missing, or the disk fails. */
export function isDatabaseDamaged(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (/^(XX00[12]|58030|58P01)$/.test(codeOf(cause))) return true;
  }
  return false;
}

/** Tells whether a connection did not answer a statement within the time limit of `pg`, which has closed it. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Classes and codes of PostgreSQL: see appendix A of its manual. */
const postgresCodes = /^((08|53)\w{3}|57P\w{2}|58030|40001|40P01|55P03|57014|25P03)$/;

const systemCodes: ReadonlySet<string> = new Set([
  // The connection to the database.
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  // This machine.
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOSPC',
]);

/** The errors of connecting to a Unix socket that does not exist, and to one with too many waiting connections. */
const socketCodes: ReadonlySet<string> = new Set(['ENOENT', 'EAGAIN']);

const isConnecting = (error: Error) => 'syscall' in error && error.syscall === 'connect';

/** Errors of `pg` without a code. */
const driverMessages =
  /^Connection terminated|^timeout (exceeded when trying to connect|expired)$|^Query read timeout$|^Client (has encountered a connection error|was closed) and is not queryable$/;
