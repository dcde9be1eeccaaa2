import { type Static, Type } from 'typebox';
import { body, IdParam } from '../calls/call-definition.ts';
import { Id, Instant, Nullable, OneOf } from '../entities/values.ts';
import {
  maxSpreadsheetBytes,
  spreadsheetEncodings,
  spreadsheetFieldNames,
  spreadsheetStates,
} from './spreadsheet-fields.ts';
import { deskDefaults, type StaffCallDefinition } from './staff-call-definition.ts';

const Field = Nullable(OneOf(spreadsheetFieldNames));

/** Why a row is not imported. */
export const SpreadsheetProblem = Type.Object({
  /** The row number in the spreadsheet; the headings are row 1. */
  row: Type.Integer(),
  /** The heading of the column; null for the row as a whole. */
  column: Nullable(Type.String()),
  reason: Type.String(),
});
export type SpreadsheetProblem = Static<typeof SpreadsheetProblem>;

/** The result of an import, or of a check. */
export const SpreadsheetReport = Type.Object({
  cases: Type.Object({ created: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() }),
  clients: Type.Object({ created: Type.Integer(), existing: Type.Integer() }),
  /** How many rows are not imported. */
  rejected_rows: Type.Integer(),
  /** The first 200 problems; the file of rejected rows has all of them. */
  problems: Type.Array(SpreadsheetProblem),
});
export type SpreadsheetReport = Static<typeof SpreadsheetReport>;

/** A spreadsheet that a member has uploaded. */
export const Spreadsheet = Type.Object({
  id: Id,
  file_name: Type.String(),
  state: OneOf(spreadsheetStates),
  /** Rows with content, without the headings. */
  rows: Type.Integer(),
  columns: Type.Array(
    Type.Object({
      heading: Type.String(),
      /** The first cells with content; empty once the file is deleted. */
      samples: Type.Array(Type.String()),
      /** What the column contains: guessed by its heading, until a check has started. Null: it is not imported. */
      field: Field,
    }),
  ),
  /** Rows that were checked or imported so far. */
  done: Type.Integer(),
  /** The result of the last check or of the import; null before the first check. */
  report: Nullable(SpreadsheetReport),
  /** Why the whole import was not possible. */
  failure: Nullable(Type.String()),
  /** The number of imported clients without a password, and how many of them were sent an invitation. */
  new_clients: Type.Integer(),
  invited: Type.Integer(),
  /** When the file and its rejected rows are deleted. */
  expires_at: Instant,
});
export type Spreadsheet = Static<typeof Spreadsheet>;

const roles = ['handler', 'admin'] as const;
const csv = ['text/csv'] as const;
const reading = ['unauthenticated', 'factor_required', 'role_not_permitted'] as const;
const changing = [...reading, 'not_from_desk', 'not_found', 'spreadsheet_state'] as const;

/** The calls with which staff import cases from a spreadsheet. Each member sees only their own uploads. */
export const spreadsheetCalls = {
  'GET /staff/spreadsheets/template': {
    summary: 'Download a CSV file with all headings and two example rows',
    ...deskDefaults,
    access: roles,
    file: csv,
    errors: reading,
  },
  'POST /staff/spreadsheets': {
    summary: 'Upload a CSV file',
    ...deskDefaults,
    access: roles,
    upload: { maxBytes: maxSpreadsheetBytes },
    query: Type.Object({
      file_name: Type.String({ minLength: 1, maxLength: 200 }),
      /**
       * Needed for a file of unknown encoding: `errors` of `spreadsheet_unreadable` has a sample of what each encoding
       * would read.
       */
      encoding: Type.Optional(OneOf(spreadsheetEncodings)),
    }),
    data: Spreadsheet,
    errors: [
      ...reading,
      'not_from_desk',
      'invalid_input',
      'payload_too_large',
      'unsupported_media_type',
      'spreadsheet_unreadable',
    ],
  },
  'GET /staff/spreadsheets/{id}': {
    summary: 'Get an uploaded spreadsheet, with its columns and the result of the check',
    ...deskDefaults,
    access: roles,
    params: IdParam,
    data: Spreadsheet,
    errors: [...reading, 'not_found'],
  },
  'DELETE /staff/spreadsheets/{id}': {
    summary: 'Delete an uploaded spreadsheet; imported cases stay',
    ...deskDefaults,
    access: roles,
    params: IdParam,
    errors: changing,
  },
  'POST /staff/spreadsheets/{id}/check': {
    summary: 'Start to check all rows without importing them',
    ...deskDefaults,
    access: roles,
    params: IdParam,
    body: body({ columns: Type.Array(Field, { maxItems: 100 }) }),
    data: Spreadsheet,
    errors: [...changing, 'invalid_input'],
  },
  'POST /staff/spreadsheets/{id}/import': {
    summary: 'Start to import the rows that were checked; rows with problems are left out',
    ...deskDefaults,
    access: roles,
    // An import can add a client to a case, and the client then sees everything in it.
    confirmed: true,
    params: IdParam,
    data: Spreadsheet,
    errors: [...changing, 'identity_not_confirmed'],
  },
  'GET /staff/spreadsheets/{id}/rejected-rows': {
    summary: 'Download the rows that are not imported, each with the reason',
    ...deskDefaults,
    access: roles,
    params: IdParam,
    file: csv,
    errors: [...reading, 'not_found'],
  },
  'POST /staff/spreadsheets/{id}/invitations': {
    summary: 'Email the new clients of an import an invitation, each once',
    ...deskDefaults,
    access: roles,
    confirmed: true,
    params: IdParam,
    data: Spreadsheet,
    errors: [...changing, 'identity_not_confirmed', 'firm_data_missing'],
  },
} as const satisfies Record<string, StaffCallDefinition>;
