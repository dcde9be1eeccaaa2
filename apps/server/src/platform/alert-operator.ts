/**
 * Logs an error that the operator of the installation has to act on.
 * @param details fields of the log line; never secrets or personal data
 */
export type AlertOperator = (message: string, details: Record<string, unknown>) => void;
