import {
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  DateFilterModule,
  LocaleModule,
  QuickFilterModule,
  RenderApiModule,
  RowAutoHeightModule,
  TextFilterModule,
} from 'ag-grid-community';
import type { GridEdition } from './grid-edition.ts';

/** The grid modules that the table uses. */
export const communityModules = [
  ClientSideRowModelModule,
  ClientSideRowModelApiModule,
  ColumnApiModule,
  TextFilterModule,
  DateFilterModule,
  QuickFilterModule,
  RowAutoHeightModule,
  CellStyleModule,
  LocaleModule,
  RenderApiModule,
];

export const openEdition = (_licenceKey: string | null): GridEdition => ({
  modules: communityModules,
  canGroup: false,
  wordFilter: 'agTextColumnFilter',
  options: {},
  saveSpreadsheet: null,
});
