import { appendFile, mkdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hideSecretsWithin } from '@keyturn/contract';
import { createFileStore } from './adapters/files/file-store.ts';
import { createSigningFaultFinder } from './adapters/pdf/create-signing-fault-finder.ts';
import { createThreadedPrinter } from './adapters/pdf/create-threaded-printer.ts';
import { type ConnectedDatabase, connectDatabase } from './adapters/postgres/connect.ts';
import { openDatabaseForCommand } from './adapters/postgres/open-database.ts';
import { createSandboxIntents } from './adapters/sandbox/sandbox-intents.ts';
import { createSandboxProvider } from './adapters/sandbox/sandbox-provider.ts';
import { chooseProviders } from './composition/choose-providers.ts';
import { payableCases } from './features/conveyancing-case/payable-cases.ts';
import { parseVerifyCommand, runVerify, verifyUsage } from './features/documents/verify-command.ts';
import { feedSchema, importUsage, parseImportCommand, runImport } from './features/feed/import-command.ts';
import { paymentHistory } from './features/history/record-payment.ts';
import {
  maintenanceUsage,
  parseMaintenanceCommand,
  runMaintenance,
} from './features/maintenance/maintenance-command.ts';
import { createPaymentAttempts } from './features/payments/checkout/payment-attempts.ts';
import {
  parsePaymentsCommand,
  paymentsUsage,
  runPaymentsCommand,
} from './features/payments/reconciliation/payments-command.ts';
import { payableSearches } from './features/searches/payable-searches.ts';
import { checkNewPassword } from './features/sign-in/check-new-password.ts';
import { clientUsage, parseClientCommand, runClientCommand } from './features/sign-in/client-command.ts';
import { createPasswords } from './features/sign-in/passwords.ts';
import type { AlertOperator } from './platform/alert-operator.ts';
import { systemClock } from './platform/clock.ts';
import { describeStartFailure } from './platform/start-fault.ts';
import { readSettings, type Settings } from './settings/read-settings.ts';

/** A command of `keyturn`: beside a running server or without one, on the same settings. @returns the exit code */
type Command = (args: string[]) => Promise<number>;

const commands: Record<string, Command> = {
  import: importCommand,
  maintenance: maintenanceCommand,
  client: clientCommand,
  payments: paymentsCommand,
  'verify-signature': verifyCommand,
};

const usages = [importUsage, maintenanceUsage, clientUsage, paymentsUsage, verifyUsage]
  .map((usage) => usage.replace(/^Usage: /gm, '  '))
  .join('\n');

async function main([name = '', ...args]: string[]): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command(args);
  console.error(`Usage:\n${usages}`);
  return 2;
}

async function importCommand(args: string[]): Promise<number> {
  const asked = parseImportCommand(args);
  if (!asked) {
    console.error(importUsage);
    return 2;
  }
  const { file, dryRun } = asked;
  if (file === null) {
    process.stdout.write(feedSchema());
    return 0;
  }
  return withDatabase(({ database }, settings) => {
    const dependencies = {
      database,
      files: createFileStore(join(settings.dataDirectory, 'documents')),
      clock: systemClock,
      hashPassword: createPasswords().hash,
      checkPassword: checkNewPassword,
      findSigningFault: createSigningFaultFinder(createThreadedPrinter(signatureWorker)),
    };
    return runImport(dependencies, { file, dryRun }, print);
  });
}

async function maintenanceCommand(args: string[]): Promise<number> {
  let asked: ReturnType<typeof parseMaintenanceCommand>;
  try {
    asked = parseMaintenanceCommand(args, systemClock());
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
  return withDatabase(({ database }) => runMaintenance(database, asked, print));
}

async function clientCommand(args: string[]): Promise<number> {
  const asked = parseClientCommand(args);
  if (!asked) {
    console.error(clientUsage);
    return 2;
  }
  return withDatabase(({ database }) => runClientCommand(database, asked, print));
}

async function paymentsCommand(args: string[]): Promise<number> {
  const asked = parsePaymentsCommand(args, systemClock());
  if (!asked) {
    console.error(paymentsUsage);
    return 2;
  }
  return withDatabase(({ database, pool }, settings) => {
    const sandbox = createSandboxProvider(
      createSandboxIntents(pool, systemClock, () => {}),
      [],
    );
    const alertOperator: AlertOperator = (message, details) =>
      console.error(`${message}: ${JSON.stringify(details)}`);
    const dependencies = {
      database,
      ...chooseProviders(settings.payments, sandbox),
      cases: payableCases,
      searches: payableSearches,
      history: paymentHistory,
      attempts: createPaymentAttempts({
        limits: settings.payments.attempts,
        clock: systemClock,
        alertOperator,
      }),
      clock: systemClock,
      alertOperator,
    };
    return runPaymentsCommand(dependencies, asked, print);
  });
}

async function verifyCommand(args: string[]): Promise<number> {
  const subject = parseVerifyCommand(args);
  if (subject === null) {
    console.error(verifyUsage);
    return 2;
  }
  return withDatabase(({ database }, settings) => {
    const files = createFileStore(join(settings.dataDirectory, 'documents'));
    return runVerify({ database, files }, subject, print);
  });
}

const signatureWorker = new URL('./signature-worker.js', import.meta.url);

const print = (line: string) => console.log(line);

async function withDatabase(
  work: (connected: ConnectedDatabase, settings: Settings) => Promise<number>,
): Promise<number> {
  const settings = readSettings(process.env, fileURLToPath(new URL('../../../', import.meta.url)));
  const opened = await openDatabaseForCommand(settings);
  const connected = connectDatabase({ url: opened.url, size: 4 });
  let outcome: number | 'failed' = 'failed';
  try {
    outcome = await work(connected, settings);
    return outcome;
  } finally {
    await noteCommand(settings, outcome);
    await connected.close();
    await opened.close();
  }
}

/** Who did what, when, and what came of it: a line in the form of the server's log, in the data directory. */
async function noteCommand({ dataDirectory }: Settings, outcome: number | 'failed') {
  const line = {
    time: systemClock().toISOString(),
    event: 'command',
    command: process.argv.slice(2),
    by: userInfo().username,
    outcome: outcome === 0 ? 'ok' : outcome,
  };
  try {
    await mkdir(dataDirectory, { recursive: true });
    await appendFile(join(dataDirectory, 'commands.log'), `${JSON.stringify(hideSecretsWithin(line))}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    console.error(`The command could not be noted: ${error instanceof Error ? error.message : error}`);
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(describeStartFailure(error));
    process.exitCode = 2;
  },
);
