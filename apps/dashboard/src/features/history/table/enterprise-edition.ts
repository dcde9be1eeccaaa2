import { ExcelExportModule, LicenseManager, RowGroupingModule, SetFilterModule } from 'ag-grid-enterprise';
import { communityModules } from './community-edition.ts';
import type { GridEdition } from './grid-edition.ts';

/** Works without a licence key as well; the grid then says so in the console. */
export function openEdition(licenceKey: string | null): GridEdition {
  if (licenceKey) LicenseManager.setLicenseKey(licenceKey);
  return {
    modules: [...communityModules, RowGroupingModule, SetFilterModule, ExcelExportModule],
    canGroup: true,
    wordFilter: 'agSetColumnFilter',
    // A row of its own for each category: it is read on a phone as well.
    options: { groupDisplayType: 'groupRows', groupDefaultExpanded: -1 },
    saveSpreadsheet: (api, fileName) => api.exportDataAsExcel({ fileName, sheetName: 'Case history' }),
  };
}
