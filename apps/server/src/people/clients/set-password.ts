import { and, eq, sql } from 'drizzle-orm';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { clientFactorTables } from '../../schema/tables/factor-tables.ts';
import {
  caseClients,
  clients,
  conveyancingCases,
  knownDevices,
  passwordLinks,
} from '../../schema/tables/tables.ts';
import { assertNewPassword, assertPasswordForm, isShortPassword } from '../credentials/check-new-password.ts';
import { activeFactors } from '../credentials/factors/factors.ts';
import type { KnownDevices } from '../credentials/known-devices.ts';
import type { LoginThrottle } from '../credentials/login-throttle.ts';
import type { Passwords } from '../credentials/passwords.ts';
import { validLink } from './check-password-link.ts';
import { deletePendingChange } from './email-change/email-change-rules.ts';
import { endClientAccess } from './end-access.ts';
import { queuePasswordMail } from './new-password-mail.ts';
import { lockClient } from './record/client-rows.ts';

export interface SetPasswordDependencies {
  database: Database;
  passwords: Passwords;
  throttle: LoginThrottle;
  devices: KnownDevices;
  clock: Clock;
}

interface NewPassword {
  /** The token of the link. */
  token: string;
  password: string;
  /** The token of the caller’s device; null without one. */
  device: string | null;
  /** IP address of the caller. */
  address: string;
  /** Called with the client of the link, for the log. */
  about?(subject: { client: string }): void;
}

/**
 * Sets the password of the link's client. All of the client's links are consumed, a change of the email address that was
 * not confirmed is cancelled, all sessions end, all devices except this one are removed, and an email confirms the change.
 * @returns the token for the device’s cookie. The link proves that it is the client, so that wrong passwords of
 *   others cannot lock this device out. Its first sign-in is still emailed, because a thief may read the client’s email.
 * @throws DomainError `link_expired`, `invalid_input` for the password, `too_many_requests`, `unavailable`
 */
export async function setPassword(
  dependencies: SetPasswordDependencies,
  { token, password, device, address, about }: NewPassword,
): Promise<string> {
  const { database, passwords, devices, clock } = dependencies;
  const now = clock();
  const isValid = validLink(token, now);
  const [link] = await database.select().from(passwordLinks).where(isValid);
  if (!link) throw new DomainError('link_expired');
  about?.({ client: link.clientId });
  await assertPasswordAllowed(dependencies, link.clientId, password);
  const passwordHash = await passwords.hash(password);
  return runTransaction(database, async (transaction) => {
    const client = await lockClient(transaction, link.clientId);
    // The last second factor may have been removed meanwhile.
    await assertLongEnough(transaction, link.clientId, password);
    const [used] = await transaction.update(passwordLinks).set({ usedAt: now }).where(isValid).returning();
    if (!used) throw new DomainError('link_expired');
    await transaction
      .update(clients)
      .set({ passwordHash, hasShortPassword: isShortPassword(password), updatedAt: now })
      .where(eq(clients.id, used.clientId));
    if (client?.passwordHash === null)
      await transaction.execute(
        sql`select record_client_activation(${used.clientId}::uuid, ${now.toISOString()}::timestamptz)`,
      );
    // Someone else may have started it, and could take over the account with the link in its email.
    await deletePendingChange(transaction, used.clientId);
    await endClientAccess(transaction, { clientId: used.clientId, now });
    await recordAudit(transaction, {
      occurredAt: now,
      actor: await findClientActor(transaction, used.clientId),
      action: 'client.password_set',
      subject: { kind: 'client', id: used.clientId },
      address,
      after: { link: used.purpose },
    });
    await queuePasswordMail(transaction, used.clientId);
    const known = await devices.remember(device, used.clientId, transaction);
    await transaction
      .update(knownDevices)
      .set({ awaitsSignIn: true })
      .where(and(eq(knownDevices.clientId, used.clientId), eq(knownDevices.tokenHash, hashToken(known))));
    return known;
  });
}

/**
 * Checks a client’s new password, before a transaction.
 * @throws DomainError `invalid_input` if it is too short, too easy to guess or known to others, `too_many_requests`
 */
export async function assertPasswordAllowed(
  dependencies: Pick<SetPasswordDependencies, 'database' | 'passwords' | 'throttle'>,
  clientId: string,
  password: string,
): Promise<void> {
  const { database } = dependencies;
  const [client] = await database.select().from(clients).where(eq(clients.id, clientId));
  const cases = await database
    .select({ reference: conveyancingCases.reference })
    .from(conveyancingCases)
    .innerJoin(caseClients, eq(caseClients.caseId, conveyancingCases.id))
    .where(eq(caseClients.clientId, clientId));
  await assertNewPassword(dependencies, password, {
    id: clientId,
    accountKind: 'client',
    hasSecondFactor: await hasSecondFactor(database, clientId),
    personal: [
      ...(client ? [client.email, `${client.firstName} ${client.lastName}`, client.reference] : []),
      ...cases.map(({ reference }) => reference),
    ],
  });
}

/**
 * Checks the length again, in the transaction that sets the password.
 * @throws DomainError `invalid_input` if the client’s last second factor was removed and the password is too short now
 */
export async function assertLongEnough(
  transaction: Connection,
  clientId: string,
  password: string,
): Promise<void> {
  assertPasswordForm(password, { hasSecondFactor: await hasSecondFactor(transaction, clientId) });
}

const hasSecondFactor = async (connection: Connection, clientId: string) =>
  (await activeFactors(connection, clientFactorTables, clientId)).length > 0;
