const purposes: Record<string, string> = {
  search: 'Search',
  money_on_account: 'Money on account',
  identity_check: 'Identity check',
  search_pack: 'Search pack',
  legal_fees: 'Legal fees',
  leasehold_pack: 'Leasehold pack',
  indemnity_insurance: 'Indemnity insurance',
  other: 'Other',
};

/** Returns the purpose of a payment. */
export const purposeName = (purpose: string): string => purposes[purpose] ?? purpose;
