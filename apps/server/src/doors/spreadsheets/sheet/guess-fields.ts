import { type SpreadsheetField, spreadsheetFieldNames, spreadsheetFields } from '@keyturn/contract/staff';

/** Normalises a heading for comparison: “Case Ref.” and “case_ref” are the same. */
export const headingKey = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 100);

/**
 * Guesses what each column contains by its heading. No two columns get the same field.
 * @param remembered what columns with a heading contained in earlier imports, by `headingKey`; null: they were left out
 */
export function guessFields(
  headings: readonly string[],
  remembered: ReadonlyMap<string, SpreadsheetField | null> = new Map(),
): (SpreadsheetField | null)[] {
  const taken = new Set<SpreadsheetField>();
  return headings.map((heading) => {
    const key = headingKey(heading);
    const known = remembered.get(key);
    const field = known === undefined ? (fieldsByHeading.get(key) ?? null) : known;
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** Headings that firms and case-management systems use, besides the labels and names of the fields. */
const otherHeadings: Partial<Record<SpreadsheetField, string[]>> = {
  case_reference: [
    'reference',
    'ref',
    'our ref',
    'our reference',
    'case ref',
    'case no',
    'case number',
    'file ref',
    'file number',
    'matter ref',
    'matter number',
    'matter no',
    'matter reference',
  ],
  case_title: ['title', 'case name', 'description', 'matter description'],
  cancellation: [
    'cancellation',
    'cancellation period',
    'cancellation ends',
    'cancellation period ends',
    'cooling off',
  ],
  cancellation_notice_given: ['cancellation notice', 'notice given', 'cancellation form given'],
  matter_type: ['type', 'case type', 'transaction', 'transaction type', 'work type', 'type of transaction'],
  address_1: [
    'address',
    'address 1',
    'property',
    'property address',
    'property address 1',
    'property address line 1',
    'street',
  ],
  address_2: ['address 2', 'property address 2', 'property address line 2'],
  address_3: ['address 3', 'property address 3', 'property address line 3'],
  town: ['city', 'post town', 'property town', 'town city'],
  postcode: ['post code', 'property postcode', 'property post code'],
  tenure: ['title type', 'freehold or leasehold', 'freehold leasehold'],
  title_number: ['title no', 'title num', 'land registry title'],
  price: ['purchase price', 'sale price', 'property price', 'value', 'consideration', 'amount'],
  client_1_name: ['client', 'client name', 'name', 'client 1', 'client 1 name', 'client name 1'],
  client_1_first_name: [
    'first name',
    'first names',
    'forename',
    'forenames',
    'client first name',
    'client forename',
    'client 1 first name',
    'client 1 forename',
  ],
  client_1_last_name: [
    'last name',
    'surname',
    'client last name',
    'client surname',
    'client 1 last name',
    'client 1 surname',
  ],
  client_1_email: [
    'email',
    'e mail',
    'email address',
    'client email',
    'client email address',
    'client 1 email',
    'client 1 email address',
  ],
  client_1_phone: [
    'phone',
    'telephone',
    'mobile',
    'client phone',
    'client mobile',
    'client telephone',
    'client 1 mobile',
    'client 1 telephone',
  ],
  client_2_name: [
    'client 2',
    'client 2 name',
    'client name 2',
    'second client',
    'joint client',
    'joint owner',
  ],
  client_2_first_name: ['client 2 first name', 'client 2 forename', 'second client first name'],
  client_2_last_name: ['client 2 last name', 'client 2 surname', 'second client last name'],
  client_2_email: ['client 2 email', 'client 2 email address', 'second client email', 'joint client email'],
  client_2_phone: ['client 2 mobile', 'client 2 telephone', 'second client phone', 'joint client phone'],
  handler_name: [
    'handler',
    'fee earner',
    'conveyancer',
    'case handler',
    'file handler',
    'lawyer',
    'solicitor',
  ],
  handler_role: ['role', 'fee earner role', 'conveyancer role'],
  handler_email: ['fee earner email', 'conveyancer email', 'case handler email'],
  handler_phone: ['fee earner phone', 'conveyancer phone', 'case handler phone', 'direct dial'],
  instructed_on: [
    'instructed',
    'instruction date',
    'date instructed',
    'date of instruction',
    'opened',
    'date opened',
  ],
  milestone: ['current step', 'stage', 'current stage', 'status', 'milestone', 'progress'],
  target_exchange_on: ['target exchange', 'exchange target', 'expected exchange', 'exchange date target'],
  target_completion_on: [
    'target completion',
    'completion target',
    'expected completion',
    'completion date',
    'completion',
  ],
  exchanged_on: ['exchanged', 'exchange date', 'date of exchange'],
};

const fieldsByHeading = new Map(
  spreadsheetFieldNames.flatMap((field): [string, SpreadsheetField][] =>
    [spreadsheetFields[field].label, field, ...(otherHeadings[field] ?? [])].map((heading) => [
      headingKey(heading),
      field,
    ]),
  ),
);
