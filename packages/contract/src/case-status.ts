import type { CaseStatus } from './vocabulary.ts';

/** Whether nothing is left to happen on a case or matter, until the firm makes it active again. */
export const isClosed = (status: CaseStatus): boolean => status === 'completed' || status === 'abandoned';

/**
 * Returns the status of a case whose matters have these statuses: it runs while one of them runs, is on hold while the
 * others are closed or on hold, and is completed if at least one of them was.
 */
export const caseStatusOf = (matterStatuses: readonly CaseStatus[]): CaseStatus =>
  (['active', 'on_hold', 'completed'] as const).find((status) => matterStatuses.includes(status)) ??
  'abandoned';
