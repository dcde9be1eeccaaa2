import { createPdfProcess } from '../../adapters/pdf/create-pdf-process.ts';
import {
  disputesCommand,
  evidenceCommand,
  runDisputesCommand,
} from '../../payments/disputes/disputes-command.ts';
import { paymentsCommand, runPaymentsCommand } from '../../payments/reconciliation/payments-command.ts';
import type { DefineCommand, OpenInstallation } from './command-context.ts';
import { createPaymentDependencies } from './payment-dependencies.ts';

/** Defines `keyturn payments` with all its commands. */
export const paymentsCommands: DefineCommand = ({ withDatabase, clock, pdfWorker, print }) => {
  const runDisputes = withDatabase<Parameters<typeof runDisputesCommand>[1]>(async (parsed, installation) =>
    runDisputesCommand(
      { ...(await dependenciesOf(installation)), factSheetPrinter: createPdfProcess(pdfWorker) },
      parsed,
      print,
    ),
  );
  return paymentsCommand(
    clock,
    withDatabase(async (parsed, installation) =>
      runPaymentsCommand(await dependenciesOf(installation), parsed, print),
    ),
  )
    .addCommand(disputesCommand(runDisputes))
    .addCommand(evidenceCommand(runDisputes));
};

const dependenciesOf = ({ settings, clock, ...connected }: OpenInstallation) =>
  createPaymentDependencies(connected, settings, clock);
