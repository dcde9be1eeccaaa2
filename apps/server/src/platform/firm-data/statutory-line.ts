import type { Firm, Regulation } from '@keyturn/contract';
import { regulatorSentence, statutoryLine } from '@keyturn/format/statutory-line';
import { sql } from 'drizzle-orm';
import type { Connection } from '../database.ts';

/** The firm, and what it must show as a regulated one. The firm is null until the desk or a feed has set it. */
export interface RegulatedFirm {
  firm: Omit<Firm, 'closed_on'> | null;
  regulation: Regulation;
}

/** Reads the firm with what it must show. */
export async function readRegulatedFirm(connection: Connection): Promise<RegulatedFirm> {
  const { rows } = await connection.execute<RegulatedFirm & Record<string, unknown>>(
    sql`select firm, firm_data_value('regulation') as regulation from installation`,
  );
  const [row] = rows;
  if (!row) throw new Error('the installation has no row');
  return row;
}

/** Composes what the firm must state in emails, letters and on pages; empty if it has entered nothing. */
export const statutoryLineOf = ({ firm, regulation }: RegulatedFirm): string =>
  firm
    ? statutoryLine({ ...regulation, trading_name: firm.name, regulator_number: firm.sra_number || null })
    : '';

/** Composes the sentence that names the firm’s regulator; null if the firm has not entered it. */
export const regulatorSentenceOf = ({ firm, regulation }: RegulatedFirm): string | null =>
  regulatorSentence({ ...regulation, regulator_number: firm?.sra_number || null });

/** Reads what the firm must state in a PDF that is made now. */
export const readStatutoryLine = async (connection: Connection): Promise<string> =>
  statutoryLineOf(await readRegulatedFirm(connection));
