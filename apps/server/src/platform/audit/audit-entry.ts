import { hash } from 'node:crypto';

/** All audited actions. A feature that audits something new adds its action here. */
export const auditActions = [
  'audit.archived',
  'audit.export_requested',
  'case.erased',
  'case.hold_placed',
  'case.hold_released',
  'case.previewed',
  'case.quiet_off',
  'case.quiet_on',
  'case.read',
  'client.data_exported',
  'client.disabled',
  'client.enabled',
  'client.email_change_cancelled',
  'client.email_change_confirmed',
  'client.email_change_requested',
  'client.email_change_stopped',
  'client.email_change_undone',
  'client.email_changed',
  'client.erased',
  'client.factor_added',
  'client.factor_removed',
  'client.factor_renamed',
  'client.hold_placed',
  'client.hold_released',
  'client.identity_confirmed',
  'client.identity_rejected',
  'client.invited',
  'client.other_sessions_ended',
  'client.password_changed',
  'client.password_link_sent',
  'client.password_set',
  'client.phone_changed',
  'client.recovery_code_used',
  'client.recovery_codes_replaced',
  'client.session_ended',
  'client.sessions_ended',
  'client.sign_in_reset',
  'client.signed_in_from_new_device',
  'desk.file_uploaded',
  'desk.item_assigned',
  'desk.record_added',
  'desk.record_changed',
  'document.file_lost',
  'document.malware_found',
  'document.opened',
  'document.request_filed',
  'document.signed',
  'document.stored_malware_found',
  'document.withdrawn',
  'feed.changes_read',
  'feed.file_sent',
  'feed.import_finished',
  'feed.import_started',
  'feed.record_read',
  'feed.record_sent',
  'feed_key.created',
  'feed_key.revoked',
  'feed_key.rotated',
  'firm.bank_holidays_changed',
  'firm.payment_rules_changed',
  'firm.brand_changed',
  'firm.details_changed',
  'firm.document_groups_changed',
  'firm.ledger_exports_changed',
  'firm.milestone_path_applied',
  'firm.milestone_path_changed',
  'firm.regulation_changed',
  'firm.search_catalogue_changed',
  'firm.waiting_texts_changed',
  'installation.backup_requested',
  'installation.document_store_adopted',
  'installation.recovered',
  'installation.restored',
  'installation.retention_changed',
  'installation.staff_key_adopted',
  'maintenance.ended',
  'maintenance.started',
  'payment.account_assigned',
  'payment.evidence_requested',
  'payment.installation_replaced',
  'payment.allocated',
  'payment.ledger_exported',
  'payment.link_requested',
  'payment.link_withdrawn',
  'payment.matter_named',
  'payment.payer_checked',
  'payment.payout_matched',
  'payment.payout_transferred',
  'payment.recovery_requested',
  'payment.refund_approval_requested',
  'payment.refund_rejection_requested',
  'payment.refund_requested',
  'payment.refund_submission_requested',
  'payment.review_decided',
  'staff.disabled',
  'staff.enabled',
  'staff.factor_added',
  'staff.factor_removed',
  'staff.factor_renamed',
  'staff.factors_reset',
  'staff.identity_confirmed',
  'staff.identity_rejected',
  'staff.invitation_accepted',
  'staff.invitation_resent',
  'staff.invited',
  'staff.password_changed',
  'staff.recovery_codes_replaced',
  'staff.role_changed',
  'staff.session_ended',
  'staff.sessions_ended',
  'staff.signed_in',
  'staff.signed_out',
  'webhook_endpoint.changed',
  'webhook_endpoint.created',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.enabled',
  'webhook_endpoint.events_resent',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.tested',
] as const;
export type AuditAction = (typeof auditActions)[number];

export type AuditActorKind = 'staff' | 'feed_key' | 'client' | 'command_line' | 'system';

export type AuditSubjectKind =
  | 'audit_log'
  | 'bill'
  | 'case'
  | 'client'
  | 'dispute'
  | 'document'
  | 'feed_key'
  | 'history_entry'
  | 'installation'
  | 'maintenance'
  | 'matter'
  | 'payment'
  | 'refund'
  | 'search'
  | 'staff'
  | 'task'
  | 'webhook_endpoint';

export interface AuditActor {
  kind: AuditActorKind;
  /** Null for the command line and the system. */
  id: string | null;
  /** The name at the time. */
  name: string;
}

/** The caller of an audited change. */
export interface AuditedBy {
  actor: AuditActor;
  /** IP address of the caller; none for commands. */
  address?: string | null;
}

/** Values before or after a change. Never personal data of clients, such as names, addresses or their texts. */
export type AuditValues = Record<string, string | number | boolean | null>;

export interface AuditEntry {
  id: string;
  occurredAt: Date;
  actor: AuditActor;
  action: AuditAction;
  /** `id` is our id or the firm’s reference; null if there is only one such thing. */
  subject: { kind: AuditSubjectKind; id: string | null };
  /** IP address of the caller; null for commands. */
  address: string | null;
  before: AuditValues | null;
  after: AuditValues | null;
}

/**
 * Computes the hash of an entry’s content: SHA-256 of a JSON array in UTF-8, whose objects have their keys in order. The
 * format is documented in docs/audit.md, and must never change for entries that exist.
 */
export function hashAuditEntry(entry: AuditEntry): Buffer {
  const { id, occurredAt, actor, action, subject, address, before, after } = entry;
  const content = [
    'keyturn-audit-entry/1',
    id,
    occurredAt.toISOString(),
    [actor.kind, actor.id, actor.name],
    action,
    [subject.kind, subject.id],
    address,
    sortedPairs(before),
    sortedPairs(after),
  ];
  return hash('sha256', JSON.stringify(content), 'buffer');
}

/** Computes the hash that links an entry to the previous one. @param former null for the first entry */
export const linkAuditEntry = (former: Buffer | null, contentHash: Buffer): Buffer =>
  hash('sha256', Buffer.concat([former ?? Buffer.alloc(32), contentHash]), 'buffer');

/** PostgreSQL does not keep the order of keys, so the hash cannot depend on it. */
const sortedPairs = (values: AuditValues | null) =>
  values && Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1));
