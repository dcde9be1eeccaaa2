import { ExcelExportModule, LicenseManager, RowGroupingModule, SetFilterModule } from 'ag-grid-enterprise';
import { communityModules } from './community-edition.ts';
import type { GridEdition } from './grid-edition.ts';

/** Opens the enterprise edition. Without a licence key it works too, but logs a warning in the console. */
export function openEdition(licenceKey: string | null): GridEdition {
  if (licenceKey) LicenseManager.setLicenseKey(licenceKey);
  return {
    modules: [...communityModules, RowGroupingModule, SetFilterModule, ExcelExportModule],
    groupsRows: true,
    wordFilter: 'agSetColumnFilter',
    // A full row for each category is readable on a phone too.
    options: { groupDisplayType: 'groupRows', groupDefaultExpanded: -1 },
    saveSpreadsheet: (api, fileName) => api.exportDataAsExcel({ fileName, sheetName: 'Case history' }),
  };
}
