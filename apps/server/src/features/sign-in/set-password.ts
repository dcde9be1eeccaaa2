import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { clients, passwordLinks } from '../../platform/tables.ts';
import { checkNewPassword } from './check-new-password.ts';
import { openLink } from './check-password-link.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions } from './sessions.ts';

export interface SetPasswordDependencies {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  clock: Clock;
}

/**
 * Sets the password of the client whose link it is. The link, and every other of theirs, is used up; every sign-in of
 * theirs ends; and they are told by mail.
 * @throws DomainError `link_expired`, `invalid_input` for the password, `unavailable`
 */
export async function setPassword(
  { database, passwords, sessions, clock }: SetPasswordDependencies,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const now = clock();
  const isOpen = openLink(token, now);
  const [link] = await database.select().from(passwordLinks).where(isOpen);
  if (!link) throw new DomainError('link_expired');
  const faults = checkNewPassword(password);
  if (faults.length > 0) throw new DomainError('invalid_input', { errors: { password: faults } });
  const passwordHash = await passwords.hash(password);
  await database.transaction(async (transaction) => {
    const [used] = await transaction.update(passwordLinks).set({ usedAt: now }).where(isOpen).returning();
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

const passwordSetJob = defineJob<{ clientId: string }>('tell-of-new-password');

/** A password that somebody else has changed must not go unnoticed. */
export const passwordSetHandler = ({ database, mailer }: { database: Database; mailer: Mailer }) =>
  passwordSetJob.handledBy(async ({ clientId }) => {
    const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
    if (!client) return;
    await mailer.send({
      to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
      subject: 'Your password was set',
      paragraphs: [
        `Hello ${client.firstName},`,
        'Your password was set just now. If that was you, there is nothing to do.',
        'If it was not you, call us at once on the number that you already know.',
      ],
    });
  });
