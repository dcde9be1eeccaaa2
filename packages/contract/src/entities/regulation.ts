import { type Static, Type } from 'typebox';
import { emailPattern } from '../email-address.ts';
import { companyRegisters, legalForms, optionalForFirms, regulators } from '../vocabulary.ts';
import { Day, Line, Nullable, OneOf } from './values.ts';

const Email = Type.String({ maxLength: 320, pattern: emailPattern });
const WebAddress = Type.String({
  maxLength: 500,
  pattern: '^https://[A-Za-z0-9.-]+\\.[A-Za-z]{2,}(:[0-9]+)?([/?#]\\S*)?$',
});

/**
 * What a regulated firm must show, besides its name, address, telephone number, VAT number and number at the regulator,
 * which are in `Firm`. Null, or an empty list: the firm has not entered it.
 */
export const Regulation = Type.Object(
  {
    legal_form: Nullable(OneOf(legalForms)),
    /** The name in the register, or of the person; `Firm.name` is the trading name. */
    legal_name: Nullable(Line(200)),
    company_number: Nullable(Type.String({ pattern: '^([0-9]{8}|[A-Z]{2}[0-9]{6})$', maxLength: 8 })),
    registered_in: Nullable(OneOf(companyRegisters)),
    /** The registered office, or the address for documents of a firm without one. */
    registered_office: Type.Array(Line(200), { maxItems: 8 }),
    /** The members of an LLP, or the partners of a partnership. */
    member_names: Type.Array(Line(200), { maxItems: 50 }),
    /** Where the list of members or partners can be seen, in place of their names: “our registered office”. */
    members_list_at: Nullable(Line(200)),
    regulator: Nullable(OneOf(regulators)),
    complaints_name: Nullable(Line(200)),
    complaints_email: Nullable(Email),
    data_protection_name: Nullable(Line(200)),
    data_protection_email: Nullable(Email),
    /** The firm’s own terms, on its website. */
    terms: Type.Array(Type.Object({ name: Line(100), url: WebAddress }, { additionalProperties: false }), {
      maxItems: 10,
    }),
    insurer_name: Nullable(Line(200)),
    insurer_contact: Nullable(Line(300)),
    insurer_cover: Nullable(Line(300)),
    /** Paragraphs about the Legal Ombudsman; empty: Keyturn’s text. */
    ombudsman_text: Type.Array(Line(1000), { maxItems: 10 }),
    /** The address in the code of the regulator’s badge. Only this host is shown. */
    badge_url: Nullable(
      Type.String({
        maxLength: 100,
        pattern: '^https://cdn\\.yoshki\\.com/iframe/[A-Za-z0-9]{1,40}\\.html$',
      }),
    ),
    /** What the firm has said that it has none of, so that it is not missing. */
    has_none_of: Type.Array(OneOf(optionalForFirms), { maxItems: 3, uniqueItems: true }),
    /** The day on which the firm adopted the sentence that it never sends new bank details; null: it has not. */
    bank_details_adopted_on: Nullable(Day),
  },
  { additionalProperties: false },
);
export type Regulation = Static<typeof Regulation>;
