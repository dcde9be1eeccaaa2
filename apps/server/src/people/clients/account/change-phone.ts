import { eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { isSamePhone, requirePhone } from '../../../platform/phone-numbers.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { clients } from '../../../schema/tables/tables.ts';
import { contactChangeLane } from '../../credentials/attempt-lanes.ts';
import type { FactorOwner } from '../../credentials/factors/factor-rules.ts';
import { isNewPhone } from '../../credentials/is-new-phone.ts';
import { admitRequest } from '../../credentials/limit-links.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { queueClientNotice } from '../client-notice-mail.ts';
import type { AccountDependencies } from './change-password.ts';

/**
 * Changes the client’s phone number, or removes it, and emails the client about it. An unchanged number changes nothing.
 * @param typed null removes the number
 * @throws DomainError `invalid_input`, `too_many_requests`, `unauthenticated`
 */
export async function changePhone(
  { database, clock, throttle, factorRules }: AccountDependencies,
  owner: FactorOwner,
  typed: string | null,
): Promise<void> {
  const phone = typed === null ? null : requirePhone(typed, 'phone');
  const attempt = await admitRequest(throttle, contactChangeLane('phone', owner.id));
  const changing = runTransaction(database, async (transaction) => {
    const now = clock();
    await factorRules.lockOwner(transaction, owner, now);
    const [client] = await transaction.select().from(clients).where(eq(clients.id, owner.id));
    if (!client || isSamePhone(client.phone, phone)) return false;
    await storePhone(transaction, client, { phone, now });
    const [former, changed] = [endingOf(client.phone), endingOf(phone)];
    await queueClientNotice(transaction, owner.id, { kind: 'phone_changed', former, changed }, now);
    await recordOwnAudit(
      transaction,
      'client.phone_changed',
      { ...owner, now },
      { before: { phone_ends_in: former }, after: { phone_ends_in: changed } },
    );
    return true;
  });
  if (await attempt.withdrawnIfFails(changing)) attempt.failed();
  else await attempt.withdrawn();
}

async function storePhone(
  transaction: Transaction,
  client: typeof clients.$inferSelect,
  { phone, now }: { phone: string | null; now: Date },
): Promise<void> {
  const { phoneChangedAt } = client;
  // A second change must not make the first one’s number look like the one on file.
  const isStillNew = phoneChangedAt !== null && isNewPhone(phoneChangedAt, now);
  const recentPhones = isStillNew ? client.recentPhones.filter((recent) => !isSamePhone(recent, phone)) : [];
  await transaction
    .update(clients)
    .set({
      phone,
      phoneChangedAt: now,
      formerPhone: isStillNew ? client.formerPhone : client.phone,
      recentPhones: [...recentPhones, phone],
      replacedFeedPhone: phoneChangedAt ? client.replacedFeedPhone : client.phone,
      updatedAt: now,
    })
    .where(eq(clients.id, client.id));
}

/** Returns the last three digits, because emails and the audit log must not contain the number. */
const endingOf = (phone: string | null): string | null =>
  phone
    ?.replace(/;ext=.*/, '')
    .replaceAll(/\D/g, '')
    .slice(-3) || null;
