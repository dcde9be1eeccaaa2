/** Returns whether PostgreSQL refused to write a client because another one has the email address. */
export function isTakenEmail(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'clients_email') return true;
  }
  return false;
}
