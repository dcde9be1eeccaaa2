import type { StaffCallKey } from '@keyturn/contract/staff';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { spreadsheetTemplate } from '../spreadsheets/template.ts';
import { type InvitationDependencies, inviteClients } from '../spreadsheets/uploads/invite-clients.ts';
import { readRejectedRows } from '../spreadsheets/uploads/run-spreadsheet-job.ts';
import { findSpreadsheet, toSpreadsheet } from '../spreadsheets/uploads/spreadsheets-store.ts';
import {
  deleteSpreadsheet,
  startCheck,
  startImport,
  uploadSpreadsheet,
} from '../spreadsheets/uploads/upload-spreadsheet.ts';

type SpreadsheetCalls = Extract<StaffCallKey, `${string} /staff/spreadsheets${string}`>;

/** Returns the handlers of the calls with which staff import cases from spreadsheets. */
export function spreadsheetHandlers(dependencies: InvitationDependencies): StaffHandlers<SpreadsheetCalls> {
  const { database } = dependencies;
  const uploadOf = ({ params, staff }: { params: { id: string }; staff: { id: string } }) => ({
    id: params.id,
    staffId: staff.id,
  });
  return {
    'GET /staff/spreadsheets/template': async () => toFile(spreadsheetTemplate(), 'keyturn-cases.csv'),
    'POST /staff/spreadsheets': async ({ staff, query, file }) =>
      toSpreadsheet(
        await uploadSpreadsheet(database, {
          staffId: staff.id,
          fileName: query.file_name,
          content: file,
          encoding: query.encoding,
        }),
      ),
    'GET /staff/spreadsheets/{id}': async (request) =>
      toSpreadsheet(await findSpreadsheet(database, uploadOf(request))),
    'DELETE /staff/spreadsheets/{id}': async (request) => {
      await deleteSpreadsheet(database, uploadOf(request));
      return undefined;
    },
    'POST /staff/spreadsheets/{id}/check': async (request) =>
      toSpreadsheet(await startCheck(database, uploadOf(request), request.body.columns)),
    'POST /staff/spreadsheets/{id}/import': async (request) =>
      toSpreadsheet(await startImport(database, uploadOf(request), request.address)),
    'GET /staff/spreadsheets/{id}/rejected-rows': async (request) => {
      const csv = await readRejectedRows(database, await findSpreadsheet(database, uploadOf(request)));
      if (csv === null) throw new DomainError('not_found', { message: 'Check this file first.' });
      return toFile(csv, 'rows-not-imported.csv');
    },
    'POST /staff/spreadsheets/{id}/invitations': async (request) =>
      toSpreadsheet(await inviteClients(dependencies, uploadOf(request), byStaff(request))),
  };
}

const toFile = (text: string, fileName: string) => ({
  content: Buffer.from(text),
  mediaType: 'text/csv; charset=utf-8',
  fileName,
});
