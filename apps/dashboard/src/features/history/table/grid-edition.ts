import type { GridApi, GridOptions, Module } from 'ag-grid-community';

/** One of the two editions of the data grid: what it is made of, and what it can do. */
export interface GridEdition {
  modules: Module[];
  /** Rows can stand under their category. */
  canGroup: boolean;
  /** What a column of few words is filtered with. */
  wordFilter: 'agTextColumnFilter' | 'agSetColumnFilter';
  options: GridOptions;
  /** Saves what is shown as a spreadsheet of its own format; null where it has none. */
  saveSpreadsheet: ((api: GridApi, fileName: string) => void) | null;
}
