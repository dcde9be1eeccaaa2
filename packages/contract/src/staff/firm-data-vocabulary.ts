import type { Firm } from '../entities/case-entities.ts';
import type { Regulation } from '../entities/regulation.ts';
import type { MatterType } from '../vocabulary.ts';
import type { PathStep } from './firm-data-entities.ts';

/* The vocabulary of the firm’s data, without the schemas, which browsers do not download. */

/**
 * Steps that every path must have, because they determine whom a case waits for, and the days of exchange and
 * completion.
 */
export const requiredSteps: Readonly<Record<MatterType, readonly string[]>> = {
  purchase: [
    'instructed',
    'searches_paid',
    'searches_ordered',
    'searches_received',
    'report_sent',
    'documents_signed',
    'exchanged',
    'completed',
  ],
  sale: ['instructed', 'documents_signed', 'exchanged', 'completed'],
  remortgage: ['instructed', 'searches_or_insurance', 'deed_signed', 'completed'],
  'transfer-of-equity': ['instructed', 'signed_by_all', 'completed'],
};

/** The steps that can have usual weeks after the instruction. */
export const stepsWithUsualWeeks: readonly string[] = ['exchanged', 'completed'];

/** Whether clients read how long a step usually takes, or when it usually is. */
export const hasUsualTimes = (step: Pick<PathStep, 'usual_working_days' | 'usual_weeks'>): boolean =>
  step.usual_working_days !== null || step.usual_weeks !== null;

/** What a firm of each legal form must show besides what every firm must. Either field of a pair is enough. */
const requiredByForm: Readonly<
  Record<NonNullable<Regulation['legal_form']>, readonly (readonly (keyof Regulation)[])[]>
> = {
  company: [['company_number'], ['registered_in']],
  llp: [['company_number'], ['registered_in'], ['members_list_at', 'member_names']],
  partnership: [['members_list_at', 'member_names']],
  sole_practitioner: [],
};

const requiredOfAll: readonly (keyof Regulation)[] = [
  'legal_form',
  'legal_name',
  'registered_office',
  'regulator',
  'complaints_name',
  'complaints_email',
  'data_protection_name',
  'data_protection_email',
  'insurer_name',
  'insurer_contact',
  'insurer_cover',
];

/** Lists what a regulated firm must show and has not entered. Of a pair, the first is named. */
export function missingRegulation(regulation: Regulation): (keyof Regulation)[] {
  const isMissing = (field: keyof Regulation) =>
    regulation[field] === null || (Array.isArray(regulation[field]) && regulation[field].length === 0);
  const { legal_form } = regulation;
  return [
    ...requiredOfAll.filter(isMissing),
    ...(['terms', 'badge_url'] as const).filter(
      (field) => isMissing(field) && !regulation.has_none_of.includes(field),
    ),
    ...(legal_form ? requiredByForm[legal_form] : [])
      .filter((fields) => fields.every(isMissing))
      .flatMap(([first]) => (first ? [first] : [])),
  ];
}

/** The names of the fields of the firm’s details at the desk that every firm must enter. */
export const firmLabels = {
  name: 'Trading name',
  phone: 'Phone number',
  sra_number: 'Number at your regulator',
  address: 'Address',
} as const satisfies Partial<Record<keyof Firm, string>>;

/** The names of the fields at the desk. */
export const regulationLabels: Readonly<Record<keyof Regulation, string>> = {
  legal_form: 'Legal form',
  legal_name: 'Legal name',
  company_number: 'Company or LLP number',
  registered_in: 'Registered in',
  registered_office: 'Registered office, or address for documents',
  member_names: 'Members or partners',
  members_list_at: 'Where the list of members or partners can be seen',
  regulator: 'Regulator',
  complaints_name: 'Contact for complaints',
  complaints_email: 'Email address for complaints',
  data_protection_name: 'Contact about personal data',
  data_protection_email: 'Email address about personal data',
  terms: 'Your own terms',
  insurer_name: 'Professional indemnity insurer',
  insurer_contact: 'How to contact the insurer',
  insurer_cover: 'Where the insurance applies',
  ombudsman_text: 'Text about the Legal Ombudsman',
  badge_url: 'Code of your regulator’s badge',
  has_none_of: 'What you do not have',
  bank_details_adopted_on: 'Sentence about bank details, adopted on',
};

/**
 * Lists what the firm must enter before it invites its first client, by the names at the desk.
 * @param firm null if it has entered no details
 */
export function missingFirmData(
  firm: Pick<Firm, keyof typeof firmLabels | 'vat_number'> | null,
  regulation: Regulation,
): string[] {
  const details = (Object.keys(firmLabels) as (keyof typeof firmLabels)[]).filter(
    (field) => !firm?.[field].length,
  );
  return [
    ...details.map((field) => firmLabels[field]),
    ...(firm?.vat_number || regulation.has_none_of.includes('vat_number') ? [] : ['VAT number']),
    ...missingRegulation(regulation).map((field) => regulationLabels[field]),
  ];
}
