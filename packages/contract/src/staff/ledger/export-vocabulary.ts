/* The vocabulary of exports of the ledger, without the schemas, which browsers do not download. */

/** What a column of an export can contain. */
export const exportFields = [
  'date',
  'kind',
  'posting_type',
  'reference',
  'account',
  'bank_code',
  'money',
  'nominal_code',
  'client_number',
  'client',
  'payer',
  'case_reference',
  'matter_reference',
  'fee_earner',
  'payment',
  'receipt_number',
  'method',
  'description',
  'narrative',
  'bill',
  'line',
  'amount',
  'net',
  'vat',
  'vat_code',
  'fee',
  'amount_after_fee',
  'available_on',
  'payout',
  'payout_arrives_on',
  'payout_matched_on',
  'provider',
  'fixed_text',
] as const;
export type ExportField = (typeof exportFields)[number];

/** `movements`: a row for the clients’ money and one for the firm’s; `lines`: a row for each line, and for the provider’s fee. */
export const exportRows = ['movements', 'lines'] as const;
export type ExportRows = (typeof exportRows)[number];

export const exportDateFormats = ['YYYY-MM-DD', 'DD/MM/YYYY', 'DD/MM/YY', 'YYYYMMDD'] as const;
export type ExportDateFormat = (typeof exportDateFormats)[number];

/** The movements of a provider’s balance, and `allocation`: a change of how much of a payment repays the firm. */
export const movementKinds = [
  'charge',
  'refund',
  'refund_failure',
  'dispute',
  'dispute_reversal',
  'fee',
  'payout',
  'payout_failure',
  'allocation',
  'other',
] as const;
export type MovementKind = (typeof movementKinds)[number];

/** The columns that an export can have. */
export const maxExportColumns = 60;
