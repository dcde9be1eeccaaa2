import {
  CellStyleModule,
  ClientSideRowModelApiModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  DateFilterModule,
  ExternalFilterModule,
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
  ExternalFilterModule,
  QuickFilterModule,
  RowAutoHeightModule,
  CellStyleModule,
  LocaleModule,
  RenderApiModule,
];

export const openEdition = (_licenceKey: string | null): GridEdition => ({
  modules: communityModules,
  groupsRows: false,
  wordFilter: 'agTextColumnFilter',
  options: {},
  saveSpreadsheet: null,
});
