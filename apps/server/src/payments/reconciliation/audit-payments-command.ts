import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import { commandLineActor, type NewAuditEntry, recordAudit } from '../../platform/audit/record-audit.ts';
import type { LinkCommand } from '../links/link-command.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { AccountsCommand } from '../provider/accounts-command.ts';
import type { NewInstallationRequest } from '../recovery/new-installation-command.ts';
import type { RecoverRequest } from '../recovery/recover-command.ts';
import type { RefundCommand } from '../refunds/refund-command.ts';
import type { RefundApproval } from '../refunds/request-refund.ts';
import type { ReviewDecision } from '../reviews/close-review.ts';

type Command =
  | AccountsCommand
  | RefundCommand
  /** At the desk only. */
  | ({ name: 'approve refund' } & RefundApproval)
  | LinkCommand
  | RecoverRequest
  | NewInstallationRequest
  | { name: 'close review'; paymentId: string; decision: ReviewDecision }
  /** Read-only commands. */
  | { name: 'check' | 'ledger' | 'review' };

/**
 * Records a command that may change payments before it runs, because it calls the provider, and no transaction covers
 * that. The outcome is in the record of payments and refunds.
 * @param by the operator and their address
 */
export async function auditPaymentsCommand(
  { database, clock }: Pick<PaymentDependencies, 'database' | 'clock'>,
  command: Command,
  by: AuditedBy = { actor: commandLineActor(), address: null },
): Promise<void> {
  const entry = entryOf(command);
  if (!entry) return;
  await recordAudit(database, { ...entry, ...by, occurredAt: clock() });
}

/** @returns null for a read-only command */
function entryOf(command: Command): Pick<NewAuditEntry, 'action' | 'subject' | 'after'> | null {
  switch (command.name) {
    case 'refund': {
      const { amount, reason, requestedBy, office = null } = command;
      const part = office === null ? {} : { office_amount: office };
      const subject = { kind: 'payment', id: command.paymentId } as const;
      return {
        action: 'payment.refund_requested',
        subject,
        after: { amount, ...part, reason, by: requestedBy },
      };
    }
    case 'approve refund':
      return {
        action: 'payment.refund_approval_requested',
        subject: { kind: 'refund', id: command.refundId },
        after: { by: command.approvedBy },
      };
    case 'reject refund':
      return {
        action: 'payment.refund_rejection_requested',
        subject: { kind: 'refund', id: command.refundId },
      };
    case 'submit refund':
      return {
        action: 'payment.refund_submission_requested',
        subject: { kind: 'refund', id: command.refundId },
      };
    case 'close review':
      return {
        action: 'payment.review_decided',
        subject: { kind: 'payment', id: command.paymentId },
        after: { decision: command.decision },
      };
    case 'link': {
      const { target, clientReference } = command;
      const subject =
        target.kind === 'other'
          ? ({ kind: 'case', id: target.caseReference } as const)
          : ({ kind: target.kind, id: target.reference } as const);
      return { action: 'payment.link_requested', subject, after: { client: clientReference } };
    }
    case 'recover':
      return command.dryRun
        ? null
        : { action: 'payment.recovery_requested', subject: { kind: 'installation', id: null } };
    case 'assign account':
      return {
        action: 'payment.account_assigned',
        subject: { kind: 'installation', id: null },
        after: { account: command.accountId, pays_into: command.paysInto },
      };
    case 'new installation':
      return command.replaced === null
        ? null
        : {
            action: 'payment.installation_replaced',
            subject: { kind: 'installation', id: command.replaced },
          };
    default:
      return null;
  }
}
