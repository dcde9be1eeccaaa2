import type { DeskCase } from '@keyturn/contract/staff';
import type { CaseChanges } from './case-queries.ts';

/** The properties of each part of a case. */
export interface CasePartProps {
  deskCase: DeskCase;
  changes: CaseChanges;
  /** Whether the member’s role may change cases. */
  mayEdit: boolean;
}

/** The properties of a dialog about the whole case. */
export interface CaseDialogProps {
  deskCase: DeskCase;
  changes: CaseChanges;
  onClose(): void;
}
