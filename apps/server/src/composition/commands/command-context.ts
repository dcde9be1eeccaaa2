import type { Command } from 'commander';
import type { ConnectedDatabase } from '../../adapters/postgres/connect.ts';
import type { OpenDatabase } from '../../adapters/postgres/open-database.ts';
import { checkDocumentStore } from '../../live/shared-resources/shared-resources.ts';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import type { FileStore } from '../../platform/stored-file.ts';
import type { Settings } from '../../settings/read-settings.ts';
import { type DocumentStore, openDocumentStore } from '../open-document-store.ts';
import { runWithDatabase } from './run-with-database.ts';

/** Defines one command of `keyturn` and connects it with what it needs. */
export type DefineCommand = (context: CommandContext) => Command;

export type CommandContext = ReturnType<typeof createCommandContext>;

/** What a command with a database gets besides its options. */
export interface OpenInstallation extends ConnectedDatabase {
  settings: Settings;
  opened: OpenDatabase;
  clock: Clock;
}

/**
 * Creates what the commands of `keyturn` share.
 * @param options.pdfWorker the built program of the process that checks and makes PDFs
 * @param options.setExitCode receives the result of the command that runs
 */
export function createCommandContext({
  projectDirectory,
  pdfWorker,
  setExitCode,
}: {
  projectDirectory: string;
  pdfWorker: URL;
  setExitCode: (exitCode: number) => void;
}) {
  const run =
    <Parsed>(work: (parsed: Parsed) => Promise<number>) =>
    async (parsed: Parsed): Promise<void> =>
      setExitCode(await work(parsed));
  const runInstalled = (
    work: (installation: OpenInstallation) => Promise<number>,
    onPending?: 'apply' | 'leave',
  ): Promise<number> =>
    runWithDatabase(
      projectDirectory,
      (connected, settings, opened) => work({ ...connected, settings, opened, clock: systemClock }),
      onPending,
    );
  return {
    projectDirectory,
    pdfWorker,
    clock: systemClock,
    print: (line: string) => console.log(line),
    /** Runs a command's work. */
    run,
    /** Runs work with the settings and a database connection, and returns its result. */
    runInstalled,
    /** Runs a command's work with the settings and a database connection. */
    withDatabase: <Parsed>(
      work: (parsed: Parsed, installation: OpenInstallation) => Promise<number>,
      onPending?: 'apply' | 'leave',
    ) => run((parsed: Parsed) => runInstalled((installation) => work(parsed, installation), onPending)),
  };
}

/** A command prints what it finds, and a failure ends it with its reason, so no alert is needed. */
export const noAlerts: AlertOperator = () => {};

/**
 * Opens the document store of an installation.
 * @throws StartFault if the database expects another one
 */
export async function openFiles({ settings, database }: OpenInstallation): Promise<FileStore> {
  const { files, name } = await openStore(settings);
  await checkDocumentStore({ database, files, storeName: name });
  return files;
}

export const openStore = (settings: Settings): Promise<DocumentStore> =>
  openDocumentStore(settings, { clock: systemClock, alertOperator: noAlerts, isServer: false });
