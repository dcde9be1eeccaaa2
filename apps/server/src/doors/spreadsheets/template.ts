import { type SpreadsheetField, spreadsheetFieldNames, spreadsheetFields } from '@keyturn/contract/staff';
import { toCsv } from '@keyturn/format/csv';

type Example = Partial<Record<SpreadsheetField, string>>;

const examples: Example[] = [
  {
    case_reference: 'EX-2026-001',
    cancellation: '30/11/2026',
    cancellation_notice_given: 'Yes',
    matter_type: 'Purchase',
    address_1: '5 Mill Lane',
    town: 'Bath',
    postcode: 'BA1 2AB',
    tenure: 'Freehold',
    price: '£325,000.00',
    client_1_name: 'Ms Ada Byrne',
    client_1_email: 'ada@example.com',
    client_1_phone: '0117 496 0123',
    client_2_name: 'Tom Byrne',
    client_2_email: 'tom@example.com',
    handler_name: 'Sam Hale',
    handler_role: 'Conveyancer',
    handler_email: 'sam@example.com',
    handler_phone: '0117 496 0101',
    instructed_on: '16/11/2026',
    milestone: 'Ordering searches',
    target_exchange_on: '29/01/2027',
    target_completion_on: '26/02/2027',
  },
  {
    case_reference: 'EX-2026-002',
    matter_type: 'Sale',
    address_1: 'Flat 4',
    address_2: '12 Station Road',
    town: 'Bristol',
    postcode: 'BS1 1AA',
    tenure: 'Leasehold',
    title_number: 'AV123456',
    price: '210000',
    client_1_name: 'Priya Shah',
    client_1_email: 'priya@example.com',
    handler_name: 'Sam Hale',
    handler_email: 'sam@example.com',
    instructed_on: '2026-11-18',
  },
];

/** Writes the template: a CSV file with all headings and two examples. */
export const spreadsheetTemplate = (): string =>
  toCsv([
    spreadsheetFieldNames.map((field) => spreadsheetFields[field].label),
    ...examples.map((example) => spreadsheetFieldNames.map((field) => example[field] ?? '')),
  ]);
