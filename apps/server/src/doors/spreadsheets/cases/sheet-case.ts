import type { MatterType } from '@keyturn/contract';
import type { SpreadsheetField } from '@keyturn/contract/staff';
import type { PersonName } from './read-person-name.ts';

/** Why a row is not imported. */
export interface RowProblem {
  /** As the spreadsheet numbers it. */
  row: number;
  /** Null for the row as a whole. */
  field: SpreadsheetField | null;
  reason: string;
}

/** A value with the first row that contains it. */
export type Values = Map<SpreadsheetField, { value: string | number; row: number }>;

export interface SheetClient {
  row: number;
  /** The position of the client's columns: first or second client. */
  position: 1 | 2;
  name: PersonName;
  email: string;
  phone: string | null;
}

/** A case as the rows with its reference describe it. */
export interface SheetCase {
  reference: string;
  rows: number[];
  /** The title and the handler. */
  values: Values;
  matters: Map<MatterType, Values>;
  clients: SheetClient[];
  problems: RowProblem[];
}

/** The fields that belong to a matter; the others belong to the case. */
export const matterFields: ReadonlySet<SpreadsheetField> = new Set([
  'address_1',
  'address_2',
  'address_3',
  'town',
  'postcode',
  'tenure',
  'title_number',
  'price',
  'instructed_on',
  'milestone',
  'target_exchange_on',
  'target_completion_on',
  'exchanged_on',
]);
