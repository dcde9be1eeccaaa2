import type { ExportField, ExportProfile } from '@keyturn/contract/staff';

/** The form of a column. */
export interface EnteredColumn {
  /** Stays the same while the column is edited and moved. */
  id: number;
  heading: string;
  field: ExportField;
  text: string;
}

type Codes = ExportProfile['codes'];
export type CodeGroup = keyof Codes;

/** The form of an export format. */
export interface EnteredExport {
  id: number;
  name: string;
  rows: ExportProfile['rows'];
  date_format: ExportProfile['date_format'];
  columns: EnteredColumn[];
  codes: { [Group in CodeGroup]: Record<keyof Codes[Group], string> };
}

/** Fills the form. */
export const enteredExports = (profiles: readonly ExportProfile[]): EnteredExport[] =>
  profiles.map(({ columns, codes, ...profile }, id) => ({
    ...profile,
    id,
    columns: columns.map(({ text, ...column }, place) => ({ ...column, id: place, text: text ?? '' })),
    codes: mapCodes(codes, (code: string | null) => code ?? '') as EnteredExport['codes'],
  }));

/** Reads the form of one format. */
export const toExport = ({ id: _, columns, codes, name, ...profile }: EnteredExport): ExportProfile => ({
  ...profile,
  name: name.trim(),
  columns: columns.map(({ heading, field, text }) => ({
    heading: heading.trim(),
    field,
    text: field === 'fixed_text' ? text.trim() || null : null,
  })),
  codes: mapCodes(codes, (code: string) => code.trim() || null) as Codes,
});

export const toExports = (entered: readonly EnteredExport[]): ExportProfile[] => entered.map(toExport);

const mapCodes = <From, To>(groups: object, convert: (code: From) => To): object =>
  Object.fromEntries(
    Object.entries(groups).map(([group, codes]) => [
      group,
      Object.fromEntries(
        Object.entries(codes as Record<string, From>).map(([name, code]) => [name, convert(code)]),
      ),
    ]),
  );
