import type { CaseFeed, Regulation } from '@keyturn/contract';

/** The demonstration firm, as its case feed describes it. */
export const firm = {
  name: 'Alder & Finch Conveyancing',
  sra_number: '000000',
  phone: '0117 496 0100',
  address: ['2 Tollgate House', 'Redcliffe Parade', 'Bristol BS1 6TH'],
  opening_hours: 'Monday to Friday, 9:00 am to 5:30 pm',
  // Not a number that exists: its check digits are wrong.
  vat_number: 'GB 123 4567 89',
  order_cutoff: '15:00',
} satisfies CaseFeed['firm'];

/** What the demonstration firm shows as a regulated one. Its numbers, like its address, belong to no one. */
export const regulation = {
  legal_form: 'company',
  legal_name: 'Alder & Finch Conveyancing Limited',
  company_number: '00000000',
  registered_in: 'england_and_wales',
  registered_office: firm.address,
  member_names: [],
  members_list_at: null,
  regulator: 'sra',
  complaints_name: 'Dana Price, director',
  complaints_email: 'complaints@alderfinch.example',
  data_protection_name: 'Dana Price, director',
  data_protection_email: 'privacy@alderfinch.example',
  terms: [{ name: 'Terms of business', url: 'https://www.alderfinch.example/terms' }],
  insurer_name: 'Example Indemnity Insurance plc',
  insurer_contact: '1 Example Street, London EC3A 0AA',
  insurer_cover: 'Work done from our offices in England and Wales',
  ombudsman_text: [],
  badge_url: null,
  has_none_of: ['badge_url'],
  bank_details_adopted_on: null,
} satisfies Regulation;

/* The people who look after cases. Each has one status, which screens and letters name. */

export const rhian = {
  name: 'Rhian Morgan',
  role: 'Solicitor',
  phone: '0117 496 0101',
  email: 'rhian.morgan@example.test',
};
export const daniel = {
  name: 'Daniel Finch',
  role: 'Solicitor and director',
  phone: '0117 496 0104',
  email: 'daniel.finch@example.test',
};
export const sunita = {
  name: 'Sunita Rao',
  role: 'Chartered legal executive',
  phone: '0117 496 0107',
  email: 'sunita.rao@example.test',
};
