import type { MatterType, Regulation } from '@keyturn/contract';
import type {
  BankHoliday,
  CatalogueSearch,
  DocumentGroupWords,
  ExportProfile,
  MilestonePath,
  PaymentRules,
  WaitingTexts,
} from '@keyturn/contract/staff';
import { desc, eq, sql } from 'drizzle-orm';
import { firmData } from '../../schema/tables/firm-data-tables.ts';
import type { Connection } from '../database.ts';

/* The data that the firm edits at the desk, in its stored form. Migrations store the first version of each kind. */

/** The stored colour and logo. */
export interface StoredBrand {
  colour: string | null;
  /** The id of the logo. */
  logo: string | null;
  logo_has_name: boolean;
}

/** The stored value of each kind. */
export type FirmDataValues = { [Path in `milestone_path/${MatterType}`]: MilestonePath } & {
  bank_holidays: BankHoliday[];
  brand: StoredBrand;
  document_groups: DocumentGroupWords[];
  ledger_exports: ExportProfile[];
  payment_rules: PaymentRules;
  regulation: Regulation;
  search_catalogue: CatalogueSearch[];
  waiting_texts: WaitingTexts;
};
export type FirmDataKind = keyof FirmDataValues;

export interface FirmDataVersion<Value> {
  version: number;
  value: Value;
  changedAt: Date;
  /** Null for the value that Keyturn ships. */
  changedBy: string | null;
}

/** Reads the current version of what the firm edits. */
export async function readFirmData<Kind extends FirmDataKind>(
  connection: Connection,
  kind: Kind,
): Promise<FirmDataVersion<FirmDataValues[Kind]>> {
  const [row] = await connection
    .select()
    .from(firmData)
    .where(eq(firmData.kind, kind))
    .orderBy(desc(firmData.version))
    .limit(1);
  if (!row) throw new Error(`no version of ${kind} is stored`);
  const { version, value, changedAt, changedBy } = row;
  return { version, value: value as FirmDataValues[Kind], changedAt, changedBy };
}

/** Writes the days of the bank holidays, in their order. */
export const bankHolidayDays = sql<string[]>`bank_holiday_days()`;

/** Reads the days of the bank holidays, in their order. */
export async function readBankHolidays(connection: Connection): Promise<string[]> {
  const { value } = await readFirmData(connection, 'bank_holidays');
  return value.map(({ day }) => day);
}
