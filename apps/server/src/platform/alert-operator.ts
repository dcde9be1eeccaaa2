/** What alerts are about, as the metrics count them. */
export const alertKinds = [
  'audit_log',
  'clocks',
  'documents',
  'jobs',
  'malware',
  'metrics',
  'payments',
  'sign_in',
  'virus_scanner',
  'webhooks',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/**
 * Logs an error that the operator of the installation has to act on.
 * @param details fields of the log line; never secrets or personal data
 */
export type AlertOperator = (message: string, details: Record<string, unknown>) => void;
