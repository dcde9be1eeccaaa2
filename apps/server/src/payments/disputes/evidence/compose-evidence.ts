import { type PaymentWordingVersion, paymentWordings, type StoredRefundStatus } from '@keyturn/contract';
import { cardText } from '@keyturn/format/card-brand';
import { formatDayAndTime } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import type { DescribedCase } from '../../../case-file/cases/payable-cases.ts';
import { describeReason } from '../../intents/dispute-alerts.ts';
import type { FactSheet, FactSheetSection } from '../../ports/printers.ts';
import type { RefundReason } from '../../ports/refunds.ts';
import { allocatedLines } from '../../records/allocated-lines.ts';
import { cardOf } from '../../records/read-payment.ts';
import type { RefundRow } from '../../records/rows.ts';
import type { EvidenceRecords } from './evidence-store.ts';

/** Composes the evidence pack of a dispute from the database. Unknown facts are left out, and a sentence says so. */
export function composeEvidence(records: EvidenceRecords, described: DescribedCase, now: Date): FactSheet {
  const { dispute, payment } = records;
  return {
    firm: described.firm,
    statutoryLine: described.statutoryLine,
    title: `Evidence for dispute ${dispute.providerDisputeId}`,
    introduction: `${formatMoney(dispute.amount)} of the payment of ${formatMoney(payment.amount)} for ${payment.description} is disputed. This is what ${described.firm.name} has on record about this payment.`,
    preparedAt: now,
    sections: [
      disputeSection(records),
      orderSection(records, described),
      consentSection(records, described),
      timesSection(records),
      receiptSection(records),
      accessSection(records),
      deliverySection(records),
      refundSection(records),
    ],
    sandbox: payment.provider === 'sandbox',
  };
}

type Fact = [name: string, value: string | null | undefined | false];

const section = (heading: string, facts: Fact[], notes: (string | null)[] = []): FactSheetSection => ({
  heading,
  facts: facts.filter((fact): fact is [string, string] => Boolean(fact[1])),
  notes: notes.filter((note) => note !== null),
});

const moment = (instant: Date | null) => (instant ? formatDayAndTime(instant) : null);

function disputeSection({ dispute, payment }: EvidenceRecords): FactSheetSection {
  return section('The dispute', [
    ['Dispute', dispute.providerDisputeId],
    ['Payment intent', payment.providerIntentId],
    ['Amount', formatMoney(dispute.amount)],
    ['Reason given', describeReason(dispute)],
    ['Opened', moment(dispute.openedAt)],
    ['Evidence due by', moment(dispute.evidenceDueBy)],
  ]);
}

function orderSection({ payment, search }: EvidenceRecords, described: DescribedCase): FactSheetSection {
  return {
    ...section(
      'What was ordered',
      [
        ['For', payment.description],
        ['Property search', search && `${search.search.name}, by ${search.search.supplier}`],
        ['What it is', search?.search.explanation],
        ['Property', described.property],
        ['Case', described.caseReference],
        [described.clientNames.length > 1 ? 'Clients' : 'Client', described.clientNames.join('\n')],
        ['Payer’s reference', payment.reference],
      ],
      [described.property === null ? 'The payment does not belong to a single property.' : null],
    ),
    bill: {
      lines: allocatedLines(payment.lines, payment.allocation),
      amount: payment.amount,
      refundedAmount: payment.refundedAmount,
    },
  };
}

function consentSection(
  { payment, changes, payerEmail }: EvidenceRecords,
  described: DescribedCase,
): FactSheetSection {
  const confirmation = changes.find(
    ({ confirmed, confirmedBy }) => confirmedBy !== null && confirmed !== null,
  );
  const wording =
    payment.wording && payment.wording in paymentWordings
      ? paymentWordings[payment.wording as PaymentWordingVersion]
      : null;
  const { ownCard, orderNow } = payment;
  const card = cardOf(payment);
  return section(
    'The payer and their consent',
    [
      ['Client', described.payerName],
      ['Email address', payerEmail],
      ['Name on the card', payment.payerName],
      ['Card', card && cardText(card)],
      ['Question', ownCard !== null && wording?.ownCard.question],
      [
        'Answer',
        ownCard !== null && (wording ? wording.ownCard[ownCard ? 'yes' : 'no'] : ownCard ? 'Yes' : 'No'),
      ],
      [
        'Agreed to',
        orderNow &&
          (payment.orderWords ?? (wording && `${wording.orderNow.label} ${wording.orderNow.explanation}`)),
      ],
      ['Confirmed', confirmation && moment(confirmation.recordedAt)],
      ['IP address', confirmation?.confirmedFrom],
    ],
    [
      confirmation ? null : 'No confirmation by the client is on record for this payment.',
      confirmation && wording === null ? 'The wording that the client was shown is not on record.' : null,
      confirmation && !confirmation.confirmedFrom
        ? 'The IP address from which the client confirmed is not on record.'
        : null,
      'The billing address of the card is not on record here.',
    ],
  );
}

function timesSection({ payment, changes }: EvidenceRecords): FactSheetSection {
  const asked = changes.find(({ toStatus }) => toStatus === 'requires_action');
  const captured = changes.find(({ money, toStatus }) => toStatus === 'succeeded' && money > 0);
  const isConfirmedByBank =
    asked &&
    captured &&
    changes.some(
      ({ fromStatus, toStatus }) =>
        fromStatus === 'requires_action' && (toStatus === 'succeeded' || toStatus === 'processing'),
    );
  const declines = changes.filter(
    ({ failureCode, toStatus }) => failureCode !== null && toStatus === 'requires_payment_method',
  );
  return section(
    'Times',
    [
      ['Started', moment(payment.createdAt)],
      ['Declined before', declines.map(({ recordedAt }) => formatDayAndTime(recordedAt)).join('\n')],
      ['3-D Secure asked', asked && moment(asked.recordedAt)],
      ['3-D Secure passed', isConfirmedByBank && moment(captured.recordedAt)],
      ['Paid', moment(payment.paidAt)],
    ],
    [asked ? null : 'No request by the card’s bank to confirm the payment (3-D Secure) is on record here.'],
  );
}

function receiptSection({ payment, mails }: EvidenceRecords): FactSheetSection {
  const receipt = mails.find(({ kind }) => kind === 'receipt');
  return section(
    'Receipt',
    [
      ['Number', payment.receiptNumber],
      ['Emailed to', receipt?.sentAt && receipt.address],
      ['Emailed', receipt && moment(receipt.sentAt)],
    ],
    [receipt?.sentAt ? null : 'No email with the receipt is on record as sent.'],
  );
}

function accessSection({ signIns, devices, changes }: EvidenceRecords): FactSheetSection {
  const addresses = [...new Set(changes.flatMap(({ confirmedFrom }) => confirmedFrom ?? []))];
  return section(
    'The payer’s access to their case',
    [
      [
        'Signed in',
        signIns
          .map(
            ({ signedInAt, lastUsedAt }) =>
              `${formatDayAndTime(signedInAt)}, last active ${formatDayAndTime(lastUsedAt)}`,
          )
          .join('\n'),
      ],
      [
        'Known devices',
        devices
          .map(
            ({ firstUsedAt, lastUsedAt }) =>
              `First sign-in ${formatDayAndTime(firstUsedAt)}, latest ${formatDayAndTime(lastUsedAt)}`,
          )
          .join('\n'),
      ],
      ['IP address of the payment', addresses.join('\n')],
    ],
    [
      'These are the sign-ins and devices on record within 30 days of the payment.',
      signIns.length === 0 ? 'No sign-in of the payer is on record for this time any more.' : null,
      'The IP addresses of sign-ins and the types of devices are not on record.',
    ],
  );
}

function deliverySection({ search, reads, payment }: EvidenceRecords): FactSheetSection {
  const others = reads.filter(({ title }) => title !== search?.result?.title);
  return section(
    'What was delivered',
    [
      ['Search ordered', search && moment(search.search.orderedAt)],
      ['Search returned', search && moment(search.search.returnedAt)],
      ['Result', search?.result?.title],
      ['Shared with the payer', search?.result && moment(search.result.sharedAt)],
      ['Read by the payer', search && moment(search.readAt)],
      [
        'Other documents read',
        others.map(({ title, readAt }) => `${title}, ${formatDayAndTime(readAt)}`).join('\n'),
      ],
    ],
    [
      payment.kind === 'search' && !search?.result ? 'No result of the search is on record yet.' : null,
      search?.result && !search.readAt ? 'That the payer has read the result is not on record.' : null,
    ],
  );
}

function refundSection({ payment, refunds, mails }: EvidenceRecords): FactSheetSection {
  const refundMails = mails.filter(({ kind, amount }) => kind === 'refund' && amount !== null);
  return section(
    'Refunds',
    [
      ['Refunded', payment.refundedAmount > 0 && formatMoney(payment.refundedAmount)],
      ...refunds.map((refund, index): Fact => [`Refund ${index + 1}`, describeRefund(refund)]),
      [
        'Refund emails',
        refundMails
          .map(
            ({ amount, sentAt, writtenAt }) =>
              `${formatMoney(amount ?? 0)}, ${formatDayAndTime(sentAt ?? writtenAt)}`,
          )
          .join('\n'),
      ],
    ],
    [payment.refundedAmount === 0 ? 'Nothing of this payment was refunded.' : null],
  );
}

/** Without the note of staff, which is not meant for the payer's bank. */
function describeRefund({ amount, createdAt, status, failedAt, reason }: RefundRow): string {
  const known = reason === null ? undefined : refundReasonTexts[reason];
  return [
    `${formatMoney(amount)}, ${formatDayAndTime(createdAt)}`,
    `${refundStatusTexts[status]}${failedAt ? `, ${formatDayAndTime(failedAt)}` : ''}`,
    reason === null ? 'No reason is on record' : `Reason: ${known ?? reason}`,
  ].join('. ');
}

const refundStatusTexts: Record<StoredRefundStatus, string> = {
  awaiting_approval: 'Requested',
  approved: 'Requested',
  rejected: 'Not made',
  pending: 'Not completed yet',
  requires_action: 'Not completed yet',
  succeeded: 'Made',
  failed: 'Failed: the payer did not receive it',
  cancelled: 'Cancelled: the payer did not receive it',
};

/** By the provider's code. */
const refundReasonTexts: Partial<Record<string, string>> = {
  requested_by_customer: 'the payer asked for it',
  duplicate: 'a duplicate payment',
  fraudulent: 'a fraudulent payment',
} satisfies Record<RefundReason, string>;
