import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDatabaseForServer } from './adapters/postgres/open-database.ts';
import { compose } from './composition/compose.ts';
import { describeStartFailure } from './platform/start-fault.ts';
import { printWelcome } from './print-welcome.ts';
import { readSettings } from './settings/read-settings.ts';

/** Read the settings, open the database, compose, listen; and on the way out the same in reverse. */
async function main() {
  const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));
  const settings = readSettings(process.env, projectDirectory);
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = closing.pop(); step; step = closing.pop()) await step();
  };
  const signalled = closeOnSignal(close);
  try {
    const opened = await openDatabaseForServer(settings);
    closing.push(opened.close);
    const keyturn = await compose({
      settings,
      databaseUrl: opened.url,
      projectDirectory,
      signatureWorker: new URL('./signature-worker.js', import.meta.url),
      version: JSON.parse(readFileSync(`${projectDirectory}package.json`, 'utf8')).version,
    });
    closing.push(keyturn.close);
    const address = await keyturn.listen();
    opened.announce({ pid: process.pid, address });
    printWelcome({ address, contents: keyturn.contents, settings });
  } catch (error) {
    // Stopped while starting: what failed then failed because of it.
    if (signalled()) return;
    await close().catch(() => {});
    throw error;
  }
}

/**
 * The first signal drains and closes; a later one, or ten seconds, ends at once. A Ctrl-C can arrive twice: from
 * the terminal and from npm.
 * @returns whether a signal has come
 */
function closeOnSignal(close: () => Promise<void>): () => boolean {
  let closingSince: number | undefined;
  const onSignal = () => {
    if (closingSince !== undefined) {
      if (Date.now() - closingSince > 1_000) process.exit(1);
      return;
    }
    closingSince = Date.now();
    setTimeout(() => process.exit(1), 10_000).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(describeStartFailure(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => closingSince !== undefined;
}

main().catch((error: unknown) => {
  console.error(describeStartFailure(error));
  process.exit(1);
});
