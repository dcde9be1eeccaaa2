import type { CaseStatus } from '@keyturn/contract';

export const caseStatusNames: Record<CaseStatus, string> = {
  active: 'Active',
  on_hold: 'On hold',
  completed: 'Completed',
  abandoned: 'Abandoned',
};
