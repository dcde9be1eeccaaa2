/**
 * Tells whether PostgreSQL is unreachable, shutting down, out of resources, or cancelled the statement, so that the
 * caller may try again. The codes are in appendix A of the PostgreSQL manual.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (
      typeof code === 'string' &&
      /^(08|53|57P|40001|40P01|55P03|57014|25P03|ECONN|EPIPE|ETIMEDOUT)/.test(code)
    )
      return true;
    if (
      /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
        cause.message,
      )
    ) {
      return true;
    }
  }
  return false;
}
