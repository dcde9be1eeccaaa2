import { availableParallelism } from 'node:os';
import { createFaultFinders } from '../../adapters/pdf/create-fault-finders.ts';
import { createPdfProcess } from '../../adapters/pdf/create-pdf-process.ts';
import type { ImportDependencies } from '../../case-file/import/batches/batch-context.ts';
import { feedSchema, importCommand, runImport } from '../../doors/import/import-command.ts';
import { createImportProgress } from '../../doors/import/import-progress.ts';
import { importSpreadsheetFile } from '../../doors/spreadsheets/import-spreadsheet-file.ts';
import { releaseSearch } from '../../payments/records/payments-store.ts';
import { createFirstPasswordCheck } from '../../people/credentials/check-new-password.ts';
import { createPasswords } from '../../people/credentials/passwords.ts';
import { openScanner } from '../open-document-store.ts';
import { type DefineCommand, noAlerts, type OpenInstallation, openFiles } from './command-context.ts';

/** Processes that check documents during an import; each may need 768 MB. */
const maxPdfProcesses = 3;

/** Defines `keyturn import`. */
export const importing: DefineCommand = ({ run, runInstalled, pdfWorker, clock, print }) =>
  importCommand(
    run(async ({ file, isSpreadsheet, dryRun }) => {
      if (file === null) {
        process.stdout.write(feedSchema());
        return 0;
      }
      const { stderr } = process;
      const progress = createImportProgress(clock, {
        isTerminal: stderr.isTTY === true,
        write: (text) => stderr.write(text),
      });
      const importFile = isSpreadsheet ? importSpreadsheetFile : runImport;
      return runInstalled(async (installation) =>
        importFile(await importDependencies(installation, pdfWorker), { file, dryRun }, print, progress),
      );
    }),
  );

async function importDependencies(
  installation: OpenInstallation,
  pdfWorker: URL,
): Promise<ImportDependencies> {
  const { database, settings, clock } = installation;
  const passwords = createPasswords();
  const processes = Math.min(availableParallelism(), maxPdfProcesses);
  return {
    database,
    files: await openFiles(installation),
    clock,
    hashPassword: passwords.hash,
    checkPassword: createFirstPasswordCheck(passwords),
    releaseSearch,
    ...createFaultFinders(...Array.from({ length: processes }, () => createPdfProcess(pdfWorker))),
    findMalware: openScanner(settings, { clock, alertOperator: noAlerts }),
    alertOperator: noAlerts,
  };
}
