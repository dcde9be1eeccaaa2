import type { FirmDataCallKey, Versioned } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { type ChangedBy, changeFirmData, type FirmDataDependencies } from '../../firm/change-firm-data.ts';
import {
  checkBankHolidays,
  checkDocumentGroups,
  checkExportProfiles,
  checkMilestonePath,
  checkSearchCatalogue,
  checkWaitingTexts,
} from '../../firm/check-values.ts';
import { changeBrand, readBrand, storeLogo } from '../../firm/firm-brand.ts';
import { changeFirmDetails, readFirmDetails } from '../../firm/firm-details.ts';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { readMissingFirmData } from '../../people/clients/first-invitation.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import { type FirmDataVersion, readFirmData } from '../../platform/firm-data/firm-data.ts';

/** Returns the handlers of the calls about what the firm edits at the desk. */
export function firmDataHandlers(dependencies: FirmDataDependencies): StaffHandlers<FirmDataCallKey> {
  const { database } = dependencies;
  return {
    'GET /staff/firm': () => readFirmDetails(database),
    'PUT /staff/firm': (request) => changeFirmDetails(dependencies, request.body, byCaller(request)),
    'GET /staff/regulation': async () => toVersioned(await readFirmData(database, 'regulation')),
    'PUT /staff/regulation': async (request) =>
      toVersioned(await changeFirmData(dependencies, 'regulation', request.body, byCaller(request))),
    'GET /staff/missing-firm-data': () => readMissingFirmData(database),
    'GET /staff/payment-rules': async () => toVersioned(await readFirmData(database, 'payment_rules')),
    'PUT /staff/payment-rules': async (request) =>
      toVersioned(await changeFirmData(dependencies, 'payment_rules', request.body, byCaller(request))),
    'GET /staff/ledger-exports': async () => toVersioned(await readFirmData(database, 'ledger_exports')),
    'PUT /staff/ledger-exports': async (request) => {
      const change = { ...request.body, value: checkExportProfiles(request.body.value) };
      return toVersioned(await changeFirmData(dependencies, 'ledger_exports', change, byCaller(request)));
    },
    'GET /staff/brand': () => readBrand(database),
    'POST /staff/logos': ({ body }) => storeLogo(dependencies, body.content),
    'PUT /staff/brand': (request) => changeBrand(dependencies, request.body, byCaller(request)),
    'GET /staff/bank-holidays': async () => toVersioned(await readFirmData(database, 'bank_holidays')),
    'PUT /staff/bank-holidays': async (request) => {
      const change = { ...request.body, value: checkBankHolidays(request.body.value) };
      return toVersioned(await changeFirmData(dependencies, 'bank_holidays', change, byCaller(request)));
    },
    'GET /staff/search-catalogue': async () => toVersioned(await readFirmData(database, 'search_catalogue')),
    'PUT /staff/search-catalogue': async (request) => {
      const change = { ...request.body, value: checkSearchCatalogue(request.body.value) };
      return toVersioned(await changeFirmData(dependencies, 'search_catalogue', change, byCaller(request)));
    },
    'GET /staff/document-groups': async () => toVersioned(await readFirmData(database, 'document_groups')),
    'PUT /staff/document-groups': async (request) => {
      const change = { ...request.body, value: checkDocumentGroups(request.body.value) };
      return toVersioned(await changeFirmData(dependencies, 'document_groups', change, byCaller(request)));
    },
    'GET /staff/waiting-texts': async () => toVersioned(await readFirmData(database, 'waiting_texts')),
    'PUT /staff/waiting-texts': async (request) => {
      const change = { ...request.body, value: checkWaitingTexts(request.body.value) };
      return toVersioned(await changeFirmData(dependencies, 'waiting_texts', change, byCaller(request)));
    },
    'GET /staff/milestone-paths/{matter_type}': async ({ params }) =>
      toVersioned(await readFirmData(database, `milestone_path/${params.matter_type}`)),
    'PUT /staff/milestone-paths/{matter_type}': async (request) => {
      const { matter_type } = request.params;
      const today = londonDay(dependencies.clock());
      const change = { ...request.body, value: checkMilestonePath(matter_type, request.body.value, today) };
      return toVersioned(
        await changeFirmData(dependencies, `milestone_path/${matter_type}`, change, byCaller(request)),
      );
    },
  };
}

const byCaller = ({ staff, address }: { staff: SignedInStaff; address: string }): ChangedBy => ({
  actor: { kind: 'staff', id: staff.id, name: staff.name ?? staff.email },
  address,
});

const toVersioned = <Value>({
  version,
  value,
  changedAt,
  changedBy,
}: FirmDataVersion<Value>): Versioned<Value> => ({
  version,
  value,
  changed_at: changedAt.toISOString(),
  changed_by: changedBy,
});
