/**
 * The folder of `apps/server/src` that owns each table: the only one whose code writes it. SQL functions are in the folder
 * of `schema/functions` with the name of their subject. Erasures, in `schema/functions/records`, empty rows of every subject.
 */
export const tableOwners: Record<string, string[]> = {
  'case-file': [
    ...['conveyancing_cases', 'case_clients', 'matters', 'milestones', 'case_searches', 'tasks', 'bills'],
    ...['history_entries', 'documents', 'document_reads', 'document_deliveries', 'document_signatures'],
    ...['signed_files', 'feed_files', 'case_summaries', 'case_filter_values', 'case_views', 'desk_items'],
    'quiet_steps',
  ],
  payments: [
    ...['payments', 'payment_attempts', 'payment_changes', 'payment_check_reports', 'payment_continuity'],
    ...['payment_idempotency_keys', 'payment_links', 'payment_mails', 'payment_transitions'],
    ...['refunds', 'refund_checks', 'refund_transitions', 'receipt_counters', 'receipt_files'],
    ...[
      'disputes',
      'dispute_lookups',
      'dispute_reminders',
      'early_fraud_warnings',
      'ignored_dispute_objects',
    ],
    ...['provider_accounts', 'provider_events', 'provider_reviews', 'balance_fetches'],
    ...['balance_transactions', 'payouts'],
  ],
  people: [
    ...['clients', 'sessions', 'known_devices', 'password_links', 'email_changes', 'sign_in_warnings'],
    ...['client_challenges', 'client_factors', 'client_recovery_codes', 'login_failures'],
    ...['staff', 'staff_sessions', 'staff_devices', 'staff_invitations'],
    ...['staff_challenges', 'staff_factors', 'staff_recovery_codes'],
  ],
  firm: ['firm_data', 'firm_logos', 'installation'],
  live: [
    ...['broadcast_events', 'build_files', 'client_changes', 'maintenance', 'shared_resources'],
    ...['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints', 'webhook_events', 'webhook_secrets'],
  ],
  records: [
    ...['audit_links', 'audit_redactions', 'erased_files', 'erased_payments', 'erased_rows'],
    ...[
      'erased_signatures',
      'erasures',
      'legal_holds',
      'retention_rules',
      'unfinished_restores',
      'unused_files',
    ],
  ],
  'doors/feed': ['feed_batches', 'feed_keys', 'feed_key_secrets', 'feed_requests'],
  'doors/spreadsheets': ['spreadsheets', 'spreadsheet_cases', 'spreadsheet_headings'],
  'platform/audit': ['audit_entries'],
  'platform/files': ['file_reservations'],
  'platform/operations': ['completed_operations'],
  adapters: [
    ...['oversized_messages', 'request_counts', 'sandbox_charges', 'sandbox_disputes', 'sandbox_events'],
    ...['sandbox_fraud_warnings', 'sandbox_intents', 'sandbox_refunds', 'sandbox_reviews'],
  ],
  schema: ['schema_code', 'schema_migrations'],
};
