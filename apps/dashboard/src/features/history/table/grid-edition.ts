import type { GridApi, GridOptions, Module } from 'ag-grid-community';

/** The modules and abilities of one edition of the data grid. */
export interface GridEdition {
  modules: Module[];
  /** Whether rows can be grouped by category. */
  canGroup: boolean;
  /** The filter for columns with few distinct values. */
  wordFilter: 'agTextColumnFilter' | 'agSetColumnFilter';
  options: GridOptions;
  /** Saves the visible rows as an Excel file; null when the edition cannot. */
  saveSpreadsheet: ((api: GridApi, fileName: string) => void) | null;
}
