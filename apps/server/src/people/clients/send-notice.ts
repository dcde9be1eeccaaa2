import { and, eq, gt, isNotNull } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { type clients, emailChanges } from '../../schema/tables/tables.ts';

export interface NoticeDependencies {
  database: Connection;
  mailer: Mailer;
  clock: Clock;
}

/**
 * Emails a client a notice about their account. While their former address can undo a change of the email address, the notice
 * goes there too, because a thief may have made the change.
 */
export async function sendNotice(
  { database, mailer, clock }: NoticeDependencies,
  { id, firstName, lastName, email }: typeof clients.$inferSelect,
  mail: Pick<Mail, 'subject' | 'paragraphs'>,
): Promise<void> {
  const [undoable] = await database
    .select({ former: emailChanges.formerEmail })
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.clientId, id),
        isNotNull(emailChanges.confirmedAt),
        // An address that was in doubt got no link to undo the change.
        isNotNull(emailChanges.stopHash),
        gt(emailChanges.stoppableUntil, clock()),
      ),
    );
  for (const address of undoable ? [email, undoable.former] : [email])
    await mailer.send({ ...mail, to: { name: `${firstName} ${lastName}`, address } });
}
