import type { GridApi, GridOptions, Module } from 'ag-grid-community';

/** The modules and abilities of one edition of the data grid. */
export interface GridEdition {
  modules: Module[];
  /** Whether the grid itself can group rows. Otherwise the table adds a row for each category. */
  groupsRows: boolean;
  /** The filter for columns with few distinct values. */
  wordFilter: 'agTextColumnFilter' | 'agSetColumnFilter';
  options: GridOptions;
  /** Saves the visible rows as an Excel file; null when the edition cannot. */
  saveSpreadsheet: ((api: GridApi, fileName: string) => void) | null;
}
