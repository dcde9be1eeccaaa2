import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileStore } from './adapters/files/file-store.ts';
import { connectDatabase } from './adapters/postgres/connect.ts';
import { openDatabaseForCommand } from './adapters/postgres/open-database.ts';
import { parseVerifyCommand, runVerify, verifyUsage } from './features/documents/verify-command.ts';
import { feedSchema, importUsage, parseImportCommand, runImport } from './features/feed/import-command.ts';
import { checkNewPassword } from './features/sign-in/check-new-password.ts';
import { createPasswords } from './features/sign-in/passwords.ts';
import { systemClock } from './platform/clock.ts';
import { describeStartFailure } from './platform/start-fault.ts';
import { readSettings } from './settings.ts';

/** `keyturn COMMAND …`: beside a running server or without one, on the same settings. */
async function main([command, ...args]: string[]): Promise<number> {
  if (command === 'import') return importCommand(args);
  if (command === 'verify-signature') return verifyCommand(args);
  console.error(`${importUsage}\n${verifyUsage}`);
  return 2;
}

async function importCommand(args: string[]): Promise<number> {
  const asked = parseImportCommand(args);
  if (!asked) {
    console.error(importUsage);
    return 2;
  }
  if (asked.file === null) {
    process.stdout.write(feedSchema());
    return 0;
  }
  const settings = readSettings(process.env, fileURLToPath(new URL('../../../', import.meta.url)));
  const opened = await openDatabaseForCommand(settings);
  const connected = connectDatabase({ url: opened.url, size: 4 });
  try {
    const dependencies = {
      database: connected.database,
      files: createFileStore(join(settings.dataDirectory, 'documents')),
      clock: systemClock,
      hashPassword: createPasswords().hash,
      checkPassword: checkNewPassword,
    };
    return await runImport(dependencies, { file: asked.file, dryRun: asked.dryRun }, (line) =>
      console.log(line),
    );
  } finally {
    await connected.close();
    await opened.close();
  }
}

async function verifyCommand(args: string[]): Promise<number> {
  const subject = parseVerifyCommand(args);
  if (subject === null) {
    console.error(verifyUsage);
    return 2;
  }
  const settings = readSettings(process.env, fileURLToPath(new URL('../../../', import.meta.url)));
  const opened = await openDatabaseForCommand(settings);
  const connected = connectDatabase({ url: opened.url, size: 1 });
  try {
    const files = createFileStore(join(settings.dataDirectory, 'documents'));
    return await runVerify({ database: connected.database, files }, subject, (line) => console.log(line));
  } finally {
    await connected.close();
    await opened.close();
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
