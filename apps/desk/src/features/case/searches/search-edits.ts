import type { CaseSearch } from '@keyturn/contract';
import type { DeskSearch, SearchEdit } from '@keyturn/contract/staff';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { readPence } from '../../../ui/forms/entered-price.ts';
import type { StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import { type EstimateField, estimateFields, estimateValues, toPounds } from '../edits/estimate-fields.ts';
import { emptyToNull, type FormValues } from '../edits/form-values.ts';
import { type PriceField, priceFields, priceValues, readPrice } from './search-price.ts';

export type EditedSearchField =
  | PriceField
  | 'name'
  | 'supplier'
  | 'explanation'
  | 'supplier_cost'
  | 'rebate'
  | EstimateField
  | 'expected_on'
  | 'delayed_reason'
  | 'outcome'
  | 'outcome_summary'
  | 'valid_until';

type SearchValues = FormValues<EditedSearchField>;

/** The fields of a search: the price until a payment has started, and the outcome once the result is back. */
export const searchFields = (
  { status, money }: Pick<DeskSearch, 'status' | 'money'>,
  values: SearchValues,
): readonly EditField<EditedSearchField>[] => [
  { name: 'name', label: 'Name', maxLength: 200 },
  { name: 'supplier', label: 'Supplier', maxLength: 200 },
  {
    name: 'explanation',
    label: 'Why it is needed',
    hint: 'Clients see this.',
    kind: 'long-text',
    maxLength: 1000,
  },
  ...(status === 'awaiting_payment' && money === null ? priceFields(values) : []),
  {
    name: 'supplier_cost',
    label: 'What the supplier charges, with VAT, in pounds',
    hint: 'Clients see it. The rest of the price is your own charge. Leave empty if you don’t say.',
    kind: 'number',
    maxLength: 12,
  },
  {
    name: 'rebate',
    label: 'What the supplier pays back, in pounds',
    hint: 'Clients don’t see this, and then no longer see what the supplier charges. Account to the client for it unless they have agreed otherwise.',
    kind: 'number',
    maxLength: 12,
  },
  ...estimateFields,
  { name: 'expected_on', label: 'Expected on', kind: 'day' },
  {
    name: 'delayed_reason',
    label: 'Why it is delayed',
    hint: 'Clients see this. Leave empty if it isn’t delayed.',
    maxLength: 500,
  },
  ...(status === 'reviewed' ? [outcomeField] : []),
  ...(status === 'reviewed' || status === 'returned' ? resultFields : []),
];

const outcomeField: EditField<EditedSearchField> = {
  name: 'outcome',
  label: 'What you found',
  hint: 'Clients see this.',
  kind: 'choice',
  options: [
    { value: 'clear', name: 'Clear: no issues' },
    { value: 'attention', name: 'Points to note' },
  ],
};
const resultFields: readonly EditField<EditedSearchField>[] = [
  { name: 'outcome_summary', label: 'What the result says', kind: 'long-text', maxLength: 1000 },
  { name: 'valid_until', label: 'Valid until', kind: 'day' },
];

export const storedSearch = (search: DeskSearch): StoredValues<EditedSearchField> => ({
  version: search.version,
  values: {
    name: search.name,
    supplier: search.supplier,
    explanation: search.explanation,
    supplier_cost: toPounds(search.supplier_cost),
    rebate: toPounds(search.rebate),
    ...estimateValues(search),
    ...priceValues(search.price),
    expected_on: search.expected_on ?? '',
    delayed_reason: search.delayed_reason ?? '',
    outcome: search.outcome ?? '',
    outcome_summary: search.outcome_summary ?? '',
    valid_until: search.valid_until ?? '',
  },
});

type SearchSum = 'supplier_cost' | 'rebate' | 'estimate';

/** @returns pence, or null for an empty field @throws ApiError with the fields that cannot be read */
function readSums(texts: Partial<Record<SearchSum, string | undefined>>) {
  const sums: Partial<Record<SearchSum, number | null>> = {};
  const faults: Record<string, string> = {};
  for (const name of ['supplier_cost', 'rebate', 'estimate'] as const) {
    const text = texts[name];
    if (text === undefined) continue;
    const pence = text.trim() === '' ? null : readPence(text);
    if (pence === null && text.trim() !== '') faults[name] = 'Enter an amount in pounds, such as 38.50.';
    sums[name] = pence;
  }
  if (Object.keys(faults).length > 0) throw invalidForm(faults);
  return sums;
}

/**
 * Converts the changed fields of the form to an edit. A price is always sent completely.
 * @throws ApiError if a price cannot be read
 */
export function searchEdit(
  {
    expected_on,
    delayed_reason,
    outcome,
    outcome_summary,
    valid_until,
    'price.net': net,
    'price.vat_rate': vatRate,
    supplier_cost,
    rebate,
    estimate,
    above_estimate,
    ...texts
  }: Partial<SearchValues>,
  version: string,
  values: SearchValues,
): SearchEdit {
  const removable = Object.entries({
    expected_on,
    delayed_reason,
    outcome_summary,
    valid_until,
    above_estimate,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const isPriced = net !== undefined || vatRate !== undefined;
  return {
    version,
    changes: {
      ...texts,
      ...(outcome === 'clear' || outcome === 'attention' ? { outcome } : {}),
      ...(isPriced ? { price: readPrice(values) } : {}),
      ...emptyToNull(Object.fromEntries(removable)),
      ...readSums({ supplier_cost, rebate, estimate }),
    },
  };
}

/** The possible actions on a search. */
export interface SearchSteps {
  canOrder: boolean;
  canReturn: boolean;
  canCancel: boolean;
  /** Whether another search of the same kind can be added after it has ended. */
  canAddAgain: boolean;
}

/** Returns the possible next steps of a search; none while a client is paying. */
export function searchSteps({ status, money }: Pick<DeskSearch, 'status' | 'money'>): SearchSteps {
  const isBeingPaid = money?.is_under_way === true;
  return {
    canOrder: status === 'paid' && !isBeingPaid,
    canReturn: status === 'ordered' || status === 'returned',
    canCancel: (status === 'awaiting_payment' || status === 'paid' || status === 'ordered') && !isBeingPaid,
    canAddAgain: status === 'returned' || status === 'reviewed' || status === 'cancelled',
  };
}

/** The status of a search in the firm’s words. */
export function searchState({
  status,
  outcome,
  money,
  delayed_reason,
  under_review,
}: Pick<DeskSearch, 'status' | 'outcome' | 'money' | 'delayed_reason' | 'under_review'>): {
  tone: StatusTone;
  name: string;
} {
  if (under_review) return { tone: 'held', name: 'Payment under review' };
  if (status === 'awaiting_payment' && money?.is_under_way) return { tone: 'moving', name: 'Being paid' };
  if (status === 'paid' && money?.waits_for) return waiting[money.waits_for];
  if (status === 'ordered' && delayed_reason) return { tone: 'held', name: 'Delayed' };
  if (status === 'reviewed' && outcome === 'attention') return { tone: 'note', name: 'Points to note' };
  if (status === 'reviewed' && outcome === 'clear') return { tone: 'good', name: 'Clear' };
  return states[status];
}

const waiting = {
  payer_check: { tone: 'held', name: 'Paid by someone else, checked first' },
  clearing: { tone: 'moving', name: 'Paid, not cleared yet' },
  filing: { tone: 'moving', name: 'Paid, filing the request' },
} as const;

const states: Record<CaseSearch['status'], { tone: StatusTone; name: string }> = {
  awaiting_payment: { tone: 'to-do', name: 'To pay' },
  paid: { tone: 'to-do', name: 'Paid, ready to order' },
  ordered: { tone: 'moving', name: 'Ordered' },
  returned: { tone: 'to-do', name: 'Result received, to review' },
  reviewed: { tone: 'good', name: 'Reviewed' },
  cancelled: { tone: 'off', name: 'Cancelled' },
};
