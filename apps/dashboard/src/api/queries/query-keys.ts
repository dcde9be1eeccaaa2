import type { HistoryCategory } from '@keyturn/contract';

/**
 * The keys of all shared queries. Everything below `activeCase` belongs to one case: its key contains the generation of
 * the case store, which changes with every switch, so that data of one case is never found under another.
 */
export const queryKeys = {
  client: ['client'],
  sessions: ['sessions'],
  account: ['account'],
  activeCase: ['case'],
  caseSearches: (generation: number) => ['case', generation, 'case-searches'],
  milestones: (generation: number) => ['case', generation, 'milestones'],
  bills: (generation: number) => ['case', generation, 'bills'],
  payments: (generation: number) => ['case', generation, 'payments'],
  newestHistory: (generation: number) => ['case', generation, 'case-history', 'newest'],
  caseHistory: (generation: number) => ['case', generation, 'case-history', 'all'],
  caseHistoryPages: (generation: number, category: HistoryCategory | undefined) =>
    ['case', generation, 'case-history', 'all', 'pages', category ?? null] as const,
  wholeCaseHistory: (generation: number) => ['case', generation, 'case-history', 'all', 'whole'],
  documents: (generation: number) => ['case', generation, 'documents'],
  // Not below `activeCase`: a link can lead to a document of any of the client's cases.
  document: (id: string) => ['documents', id],
  documentContents: (id: string) => ['document-contents', id],
  documentContent: (id: string, sha256: string, signedAt: string | null) => [
    'document-contents',
    id,
    sha256,
    signedAt,
  ],
} as const;
