import type { OtherPaymentCategory, PaymentPurpose } from '@keyturn/contract';
import { paymentHistory } from '../../case-file/history/record-payment.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { defineJob } from '../../platform/jobs.ts';
import type { Mailer } from '../../platform/mailer.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { describeCategory } from '../checkout/lock-payable.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { acceptsPurpose } from '../provider/find-provider.ts';
import { awaitsIdentityCheck } from '../rules/rule-facts.ts';
import {
  countLinks,
  findBillByReference,
  findCaseByReference,
  findClientsOfCase,
  findLink,
  findSearchByReference,
  insertLink,
  markLinkSent,
  type PaymentLinkRow,
} from './links-store.ts';
import { currentState } from './read-link.ts';

/** The search, bill or purpose that the firm asks a client to pay for. References are the firm's own. */
export type LinkTarget =
  | { kind: 'search'; reference: string }
  | { kind: 'bill'; reference: string }
  /** Sent to a single client only, because two could pay it twice. `amount` is in pence. */
  | { kind: 'other'; caseReference: string; category: OtherPaymentCategory; amount: number };

export interface LinkRequest {
  target: LinkTarget;
  /** The firm's reference of the client; null for all clients of the case. */
  clientReference: string | null;
  /** Tells a reminder from a repeated command. */
  key: string | null;
}

/** Returns the error for a link that cannot be sent or withdrawn. @param message the reason, for staff */
export const linkNotPossible = (message: string): DomainError =>
  new DomainError('link_not_possible', { message });

/** The maximum number of emails with links that a client gets in 24 hours. */
const maxPerDay = 3;
const day = 24 * 3_600_000;

const linkMailJob = defineJob<{ linkId: string }>('send-payment-link');

export interface SentLink {
  name: string;
  email: string;
  outcome: 'sent' | 'sent before' | 'too many';
}

/**
 * Emails a payment link to a client, or to each client of a case. The same request is emailed to a client once, and no
 * client gets more than three links in 24 hours.
 * @throws DomainError `link_not_possible` if there is nothing to pay
 */
export async function sendLink(
  { database, clock, purposes }: Pick<PaymentDependencies, 'database' | 'clock' | 'purposes'>,
  request: LinkRequest,
): Promise<SentLink[]> {
  return runTransaction(database, async (transaction) => {
    const what = await findTarget(transaction, request.target);
    const category = what.caseSearchId !== null ? 'search' : (what.category ?? 'legal_fees');
    if (!acceptsPurpose({ purposes }, category as PaymentPurpose)) {
      throw linkNotPossible('The firm accepts no online payments for this purpose.');
    }
    const people = (await findClientsOfCase(transaction, what.caseId)).filter(
      ({ reference }) => request.clientReference === null || reference === request.clientReference,
    );
    if (people.length === 0) throw linkNotPossible('The case has no such client.');
    if (request.target.kind === 'other' && people.length > 1) {
      throw linkNotPossible('The case has several clients: name one of them, so that it is paid once.');
    }
    const now = clock();
    const requestKey = JSON.stringify([request.target, request.key]);
    const results: SentLink[] = [];
    for (const { id: clientId, firstName, lastName, email } of people) {
      const link: PaymentLinkRow = {
        ...what,
        id: newId(),
        clientId,
        requestKey,
        createdAt: now,
        sentAt: null,
        messageId: null,
        openedAt: null,
        withdrawnAt: null,
      };
      const { state, matter_id: matterId } = await currentState(transaction, link);
      if (state !== 'payable') throw linkNotPossible(reasons[state]);
      const payment = { purpose: category as PaymentPurpose, caseId: what.caseId, matterId };
      if (await awaitsIdentityCheck(transaction, payment)) throw linkNotPossible(identityFirst);
      const recent = await countLinks(transaction, { clientId, since: new Date(now.getTime() - day) });
      const isNew = recent < maxPerDay && (await insertLink(transaction, link));
      if (isNew) await linkMailJob.add(transaction, { linkId: link.id });
      const outcome = isNew ? 'sent' : recent < maxPerDay ? 'sent before' : 'too many';
      results.push({ name: `${firstName} ${lastName}`, email, outcome });
    }
    const names = results.filter(({ outcome }) => outcome === 'sent').map(({ name }) => name.split(' ')[0]);
    if (names.length > 0) {
      const summary = `We asked ${names.join(' and ')} to pay for: ${what.description}`;
      await paymentHistory.record(transaction, {
        caseId: what.caseId,
        occurredAt: now,
        clientId: null,
        summary,
      });
    }
    return results;
  });
}

const identityFirst =
  'By your rules for payments, it can be paid once the step “Identity check” of the matter is done. Nothing was sent.';

const reasons = {
  being_paid: 'A payment for it has been started.',
  paid: 'It has been paid.',
  withdrawn: 'It cannot be paid at the moment.',
  under_review: 'A payment for it is under review.',
} as const;

type FoundTarget = Pick<
  PaymentLinkRow,
  'caseId' | 'caseSearchId' | 'billId' | 'category' | 'description' | 'amount'
>;

async function findTarget(transaction: Transaction, target: LinkTarget): Promise<FoundTarget> {
  const none = { caseSearchId: null, billId: null, category: null };
  if (target.kind === 'search') {
    const search = await findSearchByReference(transaction, target.reference);
    if (!search) throw linkNotPossible(`There is no search with the reference ${target.reference}.`);
    const { caseId, id: caseSearchId, name: description, gross: amount } = search;
    return { ...none, caseId, caseSearchId, description, amount };
  }
  if (target.kind === 'bill') {
    const bill = await findBillByReference(transaction, target.reference);
    if (!bill) throw linkNotPossible(`There is no bill with the reference ${target.reference}.`);
    const description = `Bill ${bill.number}`;
    return { ...none, caseId: bill.caseId, billId: bill.id, description, amount: bill.net + bill.vat };
  }
  const found = await findCaseByReference(transaction, target.caseReference);
  if (!found) throw linkNotPossible(`There is no case with the reference ${target.caseReference}.`);
  const { category, amount } = target;
  return { ...none, caseId: found.id, category, description: describeCategory(category), amount };
}

export interface LinkMailDependencies {
  database: Database;
  mailer: Mailer;
  clock: Clock;
  /** The address of the dashboard, without a trailing slash. */
  dashboardUrl(): string;
}

export const linkMailHandler = (dependencies: LinkMailDependencies) =>
  linkMailJob.handledBy(({ linkId }) => mailLink(dependencies, linkId));

/** Sends the email of a link once, unless there is nothing left to pay. It names no amount: the client signs in to see it. */
async function mailLink(
  { database, mailer, clock, dashboardUrl }: LinkMailDependencies,
  linkId: string,
): Promise<void> {
  const link = await findLink(database, linkId);
  if (!link || link.sentAt) return;
  const client = (await findClientsOfCase(database, link.caseId)).find(({ id }) => id === link.clientId);
  const { state } = await currentState(database, link);
  if (!client || state !== 'payable') return;
  const messageId = await mailer.send({
    to: { name: `${client.firstName} ${client.lastName}`, address: client.email },
    subject: `Please pay online: ${link.description}`,
    paragraphs: [
      `Hello ${client.firstName},`,
      `You have a payment to make for your case: ${link.description}.`,
      'Sign in as you usually do. You’ll find this payment on your home page: check the amount and the details there before you pay.',
    ],
    // Never a link to pay, so that clients can tell this email from those of thieves.
    action: { label: 'Sign in', url: `${dashboardUrl()}/` },
    closing: ['Not expecting this? Call us on a number you already have before you pay.'],
    identity: { name: `payment-link-${link.id}`, at: link.createdAt },
  });
  await markLinkSent(database, link.id, { at: clock(), messageId });
}
