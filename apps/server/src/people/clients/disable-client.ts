import { eq } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { clients, sessions } from '../../schema/tables/tables.ts';
import { endSessionsOf } from '../credentials/account-sessions.ts';
import { queueCancelPayments } from './cancel-payments-job.ts';
import { deletePendingChange } from './email-change/email-change-rules.ts';
import { consumePasswordLinks } from './end-access.ts';

/**
 * Prevents a client from signing in, and signs them out everywhere: their tokens, their open sockets and their links in
 * emails stop working when the transaction commits. Their open payments are cancelled.
 */
export async function disableClient(transaction: Transaction, clientId: string, at: Date): Promise<void> {
  await transaction.update(clients).set({ disabledAt: at, updatedAt: at }).where(eq(clients.id, clientId));
  await endSessionsOf(transaction, sessions, { ownerId: clientId, now: at });
  await consumePasswordLinks(transaction, { clientId, now: at });
  await deletePendingChange(transaction, clientId);
  await queueCancelPayments(transaction, { clientId, reason: 'client_disabled' });
}

/** Lets a client sign in again. Earlier sign-ins and links stay ended. */
export async function enableClient(transaction: Transaction, clientId: string, at: Date): Promise<void> {
  await transaction.update(clients).set({ disabledAt: null, updatedAt: at }).where(eq(clients.id, clientId));
}
