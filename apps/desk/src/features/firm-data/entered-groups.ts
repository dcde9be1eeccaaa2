import type { DocumentGroupWords } from '@keyturn/contract/staff';

/** The form of a folder’s texts. */
export interface EnteredGroup extends DocumentGroupWords {
  id: number;
}

/** Fills the form. */
export const enteredGroups = (groups: readonly DocumentGroupWords[]): EnteredGroup[] =>
  groups.map((group, id) => ({ ...group, id }));

/** Reads the form, without the spaces and line breaks that people leave. */
export const toDocumentGroups = (entered: readonly EnteredGroup[]): DocumentGroupWords[] =>
  entered.map(({ group, name, empty }) => ({
    group,
    name: oneLine(name),
    empty: {
      purchase: oneLine(empty.purchase),
      sale: oneLine(empty.sale),
      remortgage: oneLine(empty.remortgage),
      'transfer-of-equity': oneLine(empty['transfer-of-equity']),
    },
  }));

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
