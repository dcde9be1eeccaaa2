import { joinNames } from './join-names.ts';
import { type Regulator, regulatorTexts } from './regulators.ts';

/** What the sentences say of each legal form. */
const legalForms = {
  company: { noun: 'a company', registers: true, addressName: 'Registered office', members: null },
  llp: {
    noun: 'a limited liability partnership',
    registers: true,
    addressName: 'Registered office',
    members: 'members',
  },
  partnership: {
    noun: 'a partnership',
    registers: false,
    addressName: 'Address for documents',
    members: 'partners',
  },
  sole_practitioner: {
    noun: 'a sole practitioner',
    registers: false,
    addressName: 'Address for documents',
    members: null,
  },
} as const;

export type LegalForm = keyof typeof legalForms;

/** What the form of a firm requires it to state. */
export const requirementsOf = (form: LegalForm) => legalForms[form];

/** The parts of the United Kingdom that have a register of companies. */
const registerNames = {
  england_and_wales: 'England and Wales',
  wales: 'Wales',
  scotland: 'Scotland',
  northern_ireland: 'Northern Ireland',
} as const;

/** The facts that the sentences name. Null or an empty list: the firm has not entered it. */
export interface StatutoryFacts {
  trading_name: string;
  legal_form: LegalForm | null;
  legal_name: string | null;
  company_number: string | null;
  registered_in: keyof typeof registerNames | null;
  registered_office: readonly string[];
  member_names: readonly string[];
  members_list_at: string | null;
  regulator: Regulator | null;
  regulator_number: string | null;
}

/**
 * Composes what a firm must state in emails, letters and on pages: its legal form and name, and its regulator (SI 2015/17
 * regulations 24 and 25; SRA Transparency Rules 4.1). A sentence that lacks a fact is left out.
 * @returns one line; empty if nothing can be said
 */
export const statutoryLine = (facts: StatutoryFacts): string =>
  [...identitySentences(facts), regulatorSentence(facts)].filter((text) => text !== null).join(' ');

function identitySentences(facts: StatutoryFacts): string[] {
  if (!facts.legal_form || !facts.legal_name) return [];
  const { noun, registers, addressName, members } = legalForms[facts.legal_form];
  const registration = registers ? registrationOf(facts) : '';
  if (registration === null) return [];
  const { trading_name: tradingName, legal_name: legalName } = facts;
  const names =
    tradingName === legalName ? `${legalName} is` : `${tradingName} is a trading name of ${legalName},`;
  return [
    sentence(`${names} ${noun}${registration}`),
    ...(members ? membersSentence(members, facts) : []),
    ...(facts.registered_office.length > 0
      ? [sentence(`${addressName}: ${facts.registered_office.join(', ')}`)]
      : []),
  ];
}

function registrationOf({ registered_in, company_number }: StatutoryFacts): string | null {
  if (!registered_in || !company_number) return null;
  return ` registered in ${registerNames[registered_in]} (${company_number})`;
}

function membersSentence(
  members: 'members' | 'partners',
  { member_names, members_list_at }: StatutoryFacts,
): string[] {
  if (members_list_at) return [sentence(`A list of ${members} can be seen at ${members_list_at}`)];
  if (member_names.length === 0) return [];
  return [sentence(`${members === 'members' ? 'Members' : 'Partners'}: ${joinNames(member_names)}`)];
}

/** Names the regulator and its number of the firm; null if the firm has not entered both. */
export const regulatorSentence = ({
  regulator,
  regulator_number,
}: Pick<StatutoryFacts, 'regulator' | 'regulator_number'>): string | null =>
  regulator && regulator_number ? regulatorTexts[regulator].statement(regulator_number) : null;

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
