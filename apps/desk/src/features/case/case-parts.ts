/** The parts of a case, each with its own address: `/cases/{id}/{part}`. */
export const caseParts = {
  overview: 'Overview',
  milestones: 'Milestones',
  searches: 'Searches',
  documents: 'Documents',
  people: 'People',
  payments: 'Payments',
  history: 'History',
  preview: 'Preview',
} as const;
export type CasePart = keyof typeof caseParts;

/** Returns the part that an address names; *Overview* for none or an unknown one. */
export const casePartFrom = (part: string | undefined): CasePart =>
  part !== undefined && Object.hasOwn(caseParts, part) ? (part as CasePart) : 'overview';

/** The address of a part, below `/desk`. */
export const pathOfPart = (caseId: string, part: CasePart): string =>
  part === 'overview' ? `/cases/${caseId}` : `/cases/${caseId}/${part}`;
