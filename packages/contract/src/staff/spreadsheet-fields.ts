/* What a column of a spreadsheet can contain, without TypeBox, which browsers do not download. */

interface FieldDefinition {
  label: string;
  /** A sentence that describes the cells. */
  explanation: string;
  /** Whether every new case needs it. */
  isRequired?: true;
}

const client = (number: 1 | 2, isRequired: true | undefined) => {
  const optional = number === 1 ? '' : ' Leave the columns of a second client empty if there is none.';
  return {
    [`client_${number}_name`]: {
      label: `Client ${number}: full name`,
      explanation: `First and last names, with or without a title, such as Ms Ada Byrne.${optional}`,
    },
    [`client_${number}_first_name`]: {
      label: `Client ${number}: first names`,
      explanation: 'Instead of the full name, together with the last name.',
    },
    [`client_${number}_last_name`]: {
      label: `Client ${number}: last name`,
      explanation: 'Instead of the full name, together with the first names.',
    },
    [`client_${number}_email`]: {
      label: `Client ${number}: email`,
      explanation: 'The client’s own address, with which they sign in. Each client needs their own.',
      ...(isRequired ? { isRequired } : {}),
    },
    [`client_${number}_phone`]: {
      label: `Client ${number}: phone`,
      explanation: 'Optional.',
    },
  };
};

type ClientField = `client_${1 | 2}_${'name' | 'first_name' | 'last_name' | 'email' | 'phone'}`;
export type SpreadsheetField =
  | ClientField
  | 'case_reference'
  | 'case_title'
  | 'cancellation'
  | 'cancellation_notice_given'
  | 'matter_type'
  | 'address_1'
  | 'address_2'
  | 'address_3'
  | 'town'
  | 'postcode'
  | 'tenure'
  | 'title_number'
  | 'price'
  | 'handler_name'
  | 'handler_role'
  | 'handler_email'
  | 'handler_phone'
  | 'instructed_on'
  | 'milestone'
  | 'target_exchange_on'
  | 'target_completion_on'
  | 'exchanged_on';

/** The fields that a column can contain, in the order of the template. */
export const spreadsheetFields = {
  case_reference: {
    label: 'Case reference',
    explanation:
      'Your own reference, different for each case. Rows with the same reference are one case: a second row can add clients, or a second matter.',
    isRequired: true,
  },
  case_title: {
    label: 'Case title',
    explanation: 'What clients see as the name of the case. Without it, such as “Purchase of 5 Mill Lane”.',
  },
  cancellation: {
    label: 'Right to cancel',
    explanation:
      'The last day on which the clients can cancel your services, such as 30/11/2026, or none if they are not consumers or signed at your office. Empty if you don’t know.',
  },
  cancellation_notice_given: {
    label: 'Cancellation notice given',
    explanation:
      'Yes, if you gave the clients the notice of the right to cancel and the cost of an early start. Needed with a day.',
  },
  matter_type: {
    label: 'Matter type',
    explanation: 'Purchase, sale, remortgage or transfer of equity.',
    isRequired: true,
  },
  address_1: { label: 'Address line 1', explanation: 'Of the property.', isRequired: true },
  address_2: { label: 'Address line 2', explanation: 'Optional.' },
  address_3: { label: 'Address line 3', explanation: 'Optional.' },
  town: { label: 'Town', explanation: 'Of the property.', isRequired: true },
  postcode: { label: 'Postcode', explanation: 'Of the property, such as BA1 2AB.', isRequired: true },
  tenure: { label: 'Tenure', explanation: 'Freehold, leasehold or commonhold.', isRequired: true },
  title_number: { label: 'Title number', explanation: 'Optional.' },
  price: { label: 'Price', explanation: 'In pounds, such as £325,000.00 or 325000. Optional.' },
  ...client(1, true),
  ...client(2, undefined),
  handler_name: {
    label: 'Handler: name',
    explanation: 'The member of your firm whom the clients contact.',
    isRequired: true,
  },
  handler_role: {
    label: 'Handler: role',
    explanation: 'Without it, “Your conveyancer”.',
  },
  handler_email: { label: 'Handler: email', explanation: 'Shown to the clients.', isRequired: true },
  handler_phone: {
    label: 'Handler: phone',
    explanation: 'Shown to the clients. Without it, your firm’s number.',
  },
  instructed_on: {
    label: 'Instructed on',
    explanation: 'The day of the instruction, such as 16/11/2026 or 2026-11-16. Optional.',
  },
  milestone: {
    label: 'Current milestone',
    explanation:
      'The step that the matter is at, by its name or key. Earlier steps count as done. Without it, the first step.',
  },
  target_exchange_on: {
    label: 'Target exchange date',
    explanation: 'Such as 29/01/2027 or 2027-01-29. Optional.',
  },
  target_completion_on: {
    label: 'Target completion date',
    explanation: 'Such as 26/02/2027 or 2027-02-26. Optional.',
  },
  exchanged_on: {
    label: 'Exchanged on',
    explanation: 'The day of the exchange of contracts, if it has taken place.',
  },
} as Record<SpreadsheetField, FieldDefinition>;

export const spreadsheetFieldNames = Object.keys(spreadsheetFields) as SpreadsheetField[];

/** The state of an uploaded spreadsheet. */
/** Encodings of CSV files with one byte for each character, which their bytes do not always tell apart. */
export const spreadsheetEncodings = ['windows-1252', 'macintosh', 'cp850', 'cp437'] as const;
export type SpreadsheetEncoding = (typeof spreadsheetEncodings)[number];

export const spreadsheetStates = [
  'uploaded',
  'checking',
  'checked',
  'importing',
  'imported',
  'failed',
] as const;
export type SpreadsheetState = (typeof spreadsheetStates)[number];

/** The number of problems that the report of a spreadsheet lists. The file of rejected rows has all of them. */
export const maxListedProblems = 200;

/** 10 MB. */
export const maxSpreadsheetBytes = 10 * 1024 * 1024;
