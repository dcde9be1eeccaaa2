import { optionalForFirms, type Regulation } from '@keyturn/contract';
import { linesOf } from './entered-lines.ts';

/** The form of what a regulated firm must show: lists have one line for each item. */
export type EnteredRegulation = Record<keyof Regulation, string>;

/** Fills the form. */
export const enteredRegulation = (regulation: Regulation): EnteredRegulation => ({
  ...(Object.fromEntries(
    Object.entries(regulation).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.join('\n') : (value ?? ''),
    ]),
  ) as EnteredRegulation),
  terms: regulation.terms.map(({ name, url }) => `${name} ${url}`).join('\n'),
});

/** Reads the form, without the spaces and empty lines that people leave. */
export const toRegulation = (entered: EnteredRegulation): Regulation => {
  const textOf = (field: keyof EnteredRegulation) => entered[field].trim() || null;
  return {
    legal_form: textOf('legal_form') as Regulation['legal_form'],
    legal_name: textOf('legal_name'),
    company_number: textOf('company_number')?.replaceAll(' ', '').toUpperCase() ?? null,
    registered_in: textOf('registered_in') as Regulation['registered_in'],
    registered_office: linesOf(entered.registered_office),
    member_names: linesOf(entered.member_names),
    members_list_at: textOf('members_list_at'),
    regulator: textOf('regulator') as Regulation['regulator'],
    complaints_name: textOf('complaints_name'),
    complaints_email: textOf('complaints_email'),
    data_protection_name: textOf('data_protection_name'),
    data_protection_email: textOf('data_protection_email'),
    terms: linesOf(entered.terms).map(toTerms),
    insurer_name: textOf('insurer_name'),
    insurer_contact: textOf('insurer_contact'),
    insurer_cover: textOf('insurer_cover'),
    ombudsman_text: linesOf(entered.ombudsman_text),
    badge_url: badgeUrlIn(entered.badge_url),
    has_none_of: optionalForFirms.filter(
      (field) => linesOf(entered.has_none_of).includes(field) && !(field !== 'vat_number' && textOf(field)),
    ),
    bank_details_adopted_on: textOf('bank_details_adopted_on'),
  };
};

/** Splits a line into the name of the terms and their address, which is its last word. */
function toTerms(line: string): Regulation['terms'][number] {
  const words = line.split(/\s+/);
  return { name: words.slice(0, -1).join(' '), url: words.at(-1) ?? '' };
}

/** Finds the address in the code that the regulator gives a firm; other text is sent as it is, and refused. */
function badgeUrlIn(code: string): string | null {
  const [, address] = /<iframe\b[^>]*?\ssrc\s*=\s*["']([^"']*)["']/i.exec(code) ?? [];
  return (address ?? code).trim() || null;
}
