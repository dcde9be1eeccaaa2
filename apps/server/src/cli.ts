import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { createFileStore } from './adapters/files/file-store.ts';
import { createPdfProcess } from './adapters/pdf/create-pdf-process.ts';
import { createSigningFaultFinder } from './adapters/pdf/create-signing-fault-finder.ts';
import { createWebhookSender } from './composition/compose-outgoing-webhooks.ts';
import { createPaymentDependencies } from './composition/payment-dependencies-of-commands.ts';
import { runWithDatabase as runInProject } from './composition/run-with-database.ts';
import { auditCommand, runAuditCommand } from './features/audit/audit-command.ts';
import { runVerify, verifyCommand } from './features/documents/verify-command.ts';
import type { ImportDependencies } from './features/feed/batches/batch-context.ts';
import { feedSchema, type ImportCommand, importCommand, runImport } from './features/feed/import-command.ts';
import { createImportProgress } from './features/feed/import-progress.ts';
import { importSpreadsheetFile } from './features/feed/spreadsheets/import-spreadsheet-file.ts';
import { feedKeyCommand, runFeedKeyCommand } from './features/feed-keys/feed-key-command.ts';
import { maintenanceCommand, runMaintenance } from './features/maintenance/maintenance-command.ts';
import { runWebhookCommand, webhookCommand } from './features/outgoing-webhooks/webhook-command.ts';
import {
  type DisputesCommand,
  disputesCommand,
  evidenceCommand,
  runDisputesCommand,
} from './features/payments/disputes/disputes-command.ts';
import { paymentsCommand, runPaymentsCommand } from './features/payments/reconciliation/payments-command.ts';
import { clientCommand, runClientCommand } from './features/sign-in/client-command.ts';
import { runStaffCommand, staffCommand } from './features/staff/accounts/staff-command.ts';
import { systemClock } from './platform/clock.ts';
import { createCommand } from './platform/commands/create-command.ts';
import { checkNewPassword } from './platform/credentials/check-new-password.ts';
import { createPasswords } from './platform/credentials/passwords.ts';
import { describeStartFailure } from './platform/start-fault.ts';
import type { Settings } from './settings/read-settings.ts';

// The built program is `apps/server/dist/cli.js`.
const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));
const pdfWorker = new URL('./pdf-worker.js', import.meta.url);

const runWithDatabase = (work: Parameters<typeof runInProject>[1]) => runInProject(projectDirectory, work);

const print = (line: string) => console.log(line);

/**
 * Runs one command of `keyturn`, next to a running server or without one, with the same settings.
 * @returns the exit code; 2 for an invalid command
 */
async function main(args: string[]): Promise<number> {
  let exitCode = 0;
  const run =
    <Parsed>(work: (parsed: Parsed) => Promise<number>) =>
    async (parsed: Parsed) => {
      exitCode = await work(parsed);
    };
  const program = createCommand('keyturn')
    .description('Manages a Keyturn installation, whether or not its server is running.')
    .addCommand(importCommand(run(runImportCommand)))
    .addCommand(
      maintenanceCommand(
        systemClock,
        run((parsed) => runWithDatabase(({ database }) => runMaintenance(database, parsed, print))),
      ),
    )
    .addCommand(
      clientCommand(
        run((parsed) => runWithDatabase(({ database }) => runClientCommand(database, parsed, print))),
      ),
    )
    .addCommand(
      staffCommand(
        run((parsed) =>
          runWithDatabase(({ database }) => runStaffCommand({ database, clock: systemClock }, parsed, print)),
        ),
      ),
    )
    .addCommand(
      paymentsCommand(
        systemClock,
        run((parsed) =>
          runWithDatabase(async (connected, settings) =>
            runPaymentsCommand(
              await createPaymentDependencies(connected, settings, systemClock),
              parsed,
              print,
            ),
          ),
        ),
      )
        .addCommand(disputesCommand(run(runDisputes)))
        .addCommand(evidenceCommand(run(runDisputes))),
    )
    .addCommand(
      feedKeyCommand(
        systemClock,
        run((parsed) =>
          runWithDatabase(({ database }) =>
            runFeedKeyCommand({ database, clock: systemClock }, parsed, print),
          ),
        ),
      ),
    )
    .addCommand(
      webhookCommand(
        run((parsed) =>
          runWithDatabase(({ database }, settings) =>
            runWebhookCommand(
              {
                database,
                clock: systemClock,
                rules: settings.webhooks,
                send: createWebhookSender(settings),
              },
              parsed,
              print,
            ),
          ),
        ),
      ),
    )
    .addCommand(
      auditCommand(
        run((parsed) =>
          runWithDatabase(({ database }) => runAuditCommand({ database, clock: systemClock }, parsed, print)),
        ),
      ),
    )
    .addCommand(
      verifyCommand(
        run((subject) =>
          runWithDatabase(({ database }, settings) =>
            runVerify({ database, files: documentFiles(settings) }, subject, print),
          ),
        ),
      ),
    );
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

const runDisputes = (parsed: DisputesCommand): Promise<number> =>
  runWithDatabase(async (connected, settings) =>
    runDisputesCommand(
      {
        ...(await createPaymentDependencies(connected, settings, systemClock)),
        evidencePrinter: createPdfProcess(pdfWorker),
      },
      parsed,
      print,
    ),
  );

async function runImportCommand({ file, isSpreadsheet, dryRun }: ImportCommand): Promise<number> {
  if (file === null) {
    process.stdout.write(feedSchema());
    return 0;
  }
  return runWithDatabase(({ database }, settings) => {
    const dependencies: ImportDependencies = {
      database,
      files: documentFiles(settings),
      clock: systemClock,
      hashPassword: createPasswords().hash,
      checkPassword: checkNewPassword,
      findSigningFault: createSigningFaultFinder(
        ...Array.from({ length: Math.min(availableParallelism(), maxPdfProcesses) }, () =>
          createPdfProcess(pdfWorker),
        ),
      ),
    };
    const { stderr } = process;
    const progress = createImportProgress(systemClock, {
      isTerminal: stderr.isTTY === true,
      write: (text) => stderr.write(text),
    });
    const importing = isSpreadsheet ? importSpreadsheetFile : runImport;
    return importing(dependencies, { file, dryRun }, print, progress);
  });
}

/** Processes that check documents during an import; each may need 768 MB. */
const maxPdfProcesses = 3;

const documentFiles = ({ dataDirectory }: Settings) => createFileStore(join(dataDirectory, 'documents'));

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(describeStartFailure(error));
    process.exitCode = 2;
  },
);
