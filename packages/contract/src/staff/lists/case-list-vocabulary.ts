/**
 * The orders of the list of cases: the earliest promise first, the longest without news first, the latest news first, or
 * by reference.
 */
export const caseSorts = ['promise', 'last_update', '-last_update', 'reference', '-reference'] as const;
export type CaseSort = (typeof caseSorts)[number];

/** `missed`: its day has passed. `none`: a case under way without any promise. */
export const promiseFilters = ['missed', 'none'] as const;
export type PromiseFilter = (typeof promiseFilters)[number];

/** `open`: active or on hold. */
export const caseStatusFilters = ['open', 'active', 'on_hold', 'completed', 'abandoned'] as const;
export type CaseStatusFilter = (typeof caseStatusFilters)[number];
