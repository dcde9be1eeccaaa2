import type { CaseSearch } from '@keyturn/contract';
import type { EditField } from './edit-fields.tsx';

export type EstimateField = 'estimate' | 'above_estimate';

/** The fields of what the firm told its clients to expect. */
export const estimateFields: readonly EditField<EstimateField>[] = [
  {
    name: 'estimate',
    label: 'Your estimate, with VAT, in pounds',
    hint: 'What you told the client to expect. Leave empty if you gave no estimate.',
    kind: 'number',
    maxLength: 12,
  },
  {
    name: 'above_estimate',
    label: 'Why it is more than the estimate',
    hint: 'In full sentences. Clients read it before they pay. Needed if they pay more than the estimate.',
    kind: 'long-text',
    maxLength: 500,
  },
];

/** Fills these fields. */
export const estimateValues = ({
  estimate,
  above_estimate,
}: Pick<CaseSearch, EstimateField>): Record<EstimateField, string> => ({
  estimate: toPounds(estimate),
  above_estimate: above_estimate ?? '',
});

/** Writes pence as pounds in a field, which is empty for an unknown sum. */
export const toPounds = (pence: number | null | undefined): string =>
  pence === null || pence === undefined ? '' : (pence / 100).toFixed(2);
