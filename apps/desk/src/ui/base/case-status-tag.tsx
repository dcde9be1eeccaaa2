import type { CaseStatus } from '@keyturn/contract';
import { StatusTag, type StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { caseStatusNames } from '../../api/case-status-names.ts';

const tones: Record<CaseStatus, StatusTone> = {
  active: 'moving',
  on_hold: 'held',
  completed: 'good',
  abandoned: 'off',
};

/** The status of a case. */
export const CaseStatusTag = ({ status }: { status: CaseStatus }) => (
  <StatusTag tone={tones[status]}>{caseStatusNames[status]}</StatusTag>
);
