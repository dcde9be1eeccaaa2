import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hideSecretsWithin } from '@keyturn/contract';
import { type ConnectedDatabase, connectDatabase } from '../../adapters/postgres/connect.ts';
import { type OpenDatabase, openDatabaseForCommand } from '../../adapters/postgres/open-database.ts';
import { systemClock } from '../../platform/clock.ts';
import { commandUser } from '../../platform/commands/command-user.ts';
import { readSettings, type Settings } from '../../settings/read-settings.ts';

/**
 * Runs a command's work with the settings and a database connection, and records the command in `commands.log`.
 * @param onPending what to do with migrations that the database lacks; by default as at a start of the server
 * @returns the exit code of the work
 */
export async function runWithDatabase(
  projectDirectory: string,
  work: (connected: ConnectedDatabase, settings: Settings, opened: OpenDatabase) => Promise<number>,
  onPending?: 'apply' | 'leave',
): Promise<number> {
  const settings = readSettings(process.env, projectDirectory);
  const opened = await openDatabaseForCommand({
    ...settings,
    onPending: onPending ?? (settings.migratesAtStart ? 'apply' : 'refuse'),
  });
  const connected = connectDatabase({ url: opened.url, size: 4 });
  try {
    return await runRecorded(settings, () => work(connected, settings, opened));
  } finally {
    await connected.close();
    await opened.close();
  }
}

/** Runs a command's work, and records the command in `commands.log`. @returns the exit code of the work */
export async function runRecorded(settings: Settings, work: () => Promise<number>): Promise<number> {
  let outcome: number | 'failed' = 'failed';
  try {
    outcome = await work();
    return outcome;
  } finally {
    await recordCommand(settings, outcome);
  }
}

/** Appends a line with the user, the command, the time and the result, in the format of the server's log. */
async function recordCommand({ dataDirectory }: Settings, outcome: number | 'failed'): Promise<void> {
  const line = {
    time: systemClock().toISOString(),
    event: 'command',
    command: process.argv.slice(2),
    by: commandUser(),
    outcome: outcome === 0 ? 'ok' : outcome,
  };
  try {
    await mkdir(dataDirectory, { recursive: true });
    await appendFile(join(dataDirectory, 'commands.log'), `${JSON.stringify(hideSecretsWithin(line))}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The command could not be recorded in ${dataDirectory}/commands.log: ${reason}`);
  }
}
