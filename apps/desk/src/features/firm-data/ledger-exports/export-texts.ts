import type { ExportField, ExportProfile } from '@keyturn/contract/staff';

/** The names of what a column can contain. */
export const fieldNames: Readonly<Record<ExportField, string>> = {
  date: 'Day of the movement',
  kind: 'Kind of movement',
  posting_type: 'Posting type (code)',
  reference: 'Provider’s reference',
  account: 'Account at the provider',
  bank_code: 'Bank (code)',
  money: 'Client or business money',
  nominal_code: 'Nominal (code)',
  client_number: 'Client number',
  client: 'Client',
  payer: 'Payer',
  case_reference: 'Case',
  matter_reference: 'Matter',
  fee_earner: 'Fee earner',
  payment: 'Payment in Keyturn',
  receipt_number: 'Receipt number',
  method: 'Card or bank',
  description: 'Description of the payment',
  narrative: 'Narrative',
  bill: 'Bill number',
  line: 'Line of the payment',
  amount: 'Gross amount',
  net: 'Net amount, without VAT',
  vat: 'VAT',
  vat_code: 'VAT (code)',
  fee: 'Provider’s fee',
  amount_after_fee: 'Gross amount less the fee',
  available_on: 'Day it is available',
  payout: 'Payout',
  payout_arrives_on: 'Day the payout arrives',
  payout_matched_on: 'Day of the bank statement',
  provider: 'Provider',
  fixed_text: 'Fixed text',
};

export const rowNames: Readonly<Record<ExportProfile['rows'], string>> = {
  movements: 'Client money and yours of each movement',
  lines: 'Each line paid, and each fee',
};

/** The codes of an export format, in the order of the form. */
export const codeGroups = [
  {
    group: 'posting_types',
    title: 'Posting types',
    names: {
      charge: 'Payment',
      refund: 'Refund',
      refund_failure: 'Refund that failed',
      dispute: 'Chargeback',
      dispute_reversal: 'Chargeback returned',
      fee: 'Fee',
      payout: 'Payout',
      payout_failure: 'Payout that failed',
      allocation: 'Money that repays you, or a client',
      other: 'Anything else',
    },
  },
  { group: 'bank', title: 'Bank codes', names: { client: 'Client account', business: 'Business account' } },
  { group: 'nominal', title: 'Nominal codes', names: { client: 'Client money', office: 'Your money' } },
  {
    group: 'vat',
    title: 'VAT codes',
    names: {
      standard: 'Standard rate',
      zero: 'Zero rate',
      exempt: 'Exempt from VAT',
      outside_scope: 'Outside the scope of VAT',
    },
  },
] as const satisfies readonly {
  [Group in keyof ExportProfile['codes']]: {
    group: Group;
    title: string;
    names: Record<keyof ExportProfile['codes'][Group], string>;
  };
}[keyof ExportProfile['codes']][];
