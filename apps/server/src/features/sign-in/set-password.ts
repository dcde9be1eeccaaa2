import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { clients, passwordLinks } from '../../platform/tables.ts';
import { checkNewPassword } from './check-new-password.ts';
import { validLink } from './check-password-link.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface SetPasswordDependencies {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  clock: Clock;
}

/**
 * Sets the password of the link's client. All of the client's links are used up, all their sessions end, and a mail
 * confirms the change.
 * @throws DomainError `link_expired`, `invalid_input` for the password, `unavailable`
 */
export async function setPassword(
  { database, passwords, sessions, clock }: SetPasswordDependencies,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const now = clock();
  const isValid = validLink(token, now);
  const [link] = await database.select().from(passwordLinks).where(isValid);
  if (!link) throw new DomainError('link_expired');
  const problems = checkNewPassword(password);
  if (problems.length > 0) throw new DomainError('invalid_input', { errors: { password: problems } });
  const passwordHash = await passwords.hash(password);
  await database.transaction(async (transaction) => {
    const [used] = await transaction.update(passwordLinks).set({ usedAt: now }).where(isValid).returning();
    if (!used) throw new DomainError('link_expired');
    await transaction
      .update(passwordLinks)
      .set({ usedAt: now })
      .where(and(eq(passwordLinks.clientId, used.clientId), isNull(passwordLinks.usedAt)));
    await transaction
      .update(clients)
      .set({ passwordHash, updatedAt: now })
      .where(eq(clients.id, used.clientId));
    await sessions.revokeSessionsOf(used.clientId, transaction);
    await passwordSetJob.add(transaction, { clientId: used.clientId });
  });
}

const passwordSetJob = defineJob<{ clientId: string }>('confirm-new-password');

/** Mails the client, so that they notice if someone else changed their password. */
export const passwordSetHandler = ({ database, mailer }: { database: Database; mailer: Mailer }) =>
  passwordSetJob.handledBy(async ({ clientId }) => {
    const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      subject: 'Your password was changed',
      paragraphs: [
        `Hello ${client.firstName},`,
        'Your password was changed just now. If that was you, you don’t need to do anything.',
        'If it wasn’t you, call us straight away on a number you already have.',
      ],
    });
  });
