import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDatabaseForServer } from './adapters/postgres/open-database.ts';
import { compose } from './composition/compose.ts';
import { describeStartFailure } from './platform/start-fault.ts';
import { printWelcome } from './print-welcome.ts';
import { readSettings, type Settings } from './settings/read-settings.ts';

/** Reads the settings, opens the database, composes the server and listens; on shutdown, closes in reverse order. */
async function main() {
  const projectDirectory = fileURLToPath(new URL('../../../', import.meta.url));
  const settings = readSettings(process.env, projectDirectory);
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = closers.pop(); step; step = closers.pop()) await step();
  };
  let drain = async () => {};
  let report = (message: string) => console.error(message);
  const isSignalled = closeOnSignal(settings, async () => {
    await drain();
    await close();
  });
  try {
    const opened = await openDatabaseForServer({
      ...settings,
      onPending: settings.migratesAtStart ? 'apply' : 'refuse',
      report: (message) => report(message),
    });
    closers.push(opened.close);
    const keyturn = await compose({
      settings,
      databaseUrl: opened.url,
      projectDirectory,
      pdfWorker: new URL('./pdf-worker.js', import.meta.url),
      weaknessWorker: new URL('./weakness-worker.js', import.meta.url),
      version: JSON.parse(readFileSync(`${projectDirectory}package.json`, 'utf8')).version,
    });
    closers.push(keyturn.close);
    report = (message) => keyturn.app.log.error(message);
    drain = keyturn.drain;
    const address = await keyturn.listen();
    opened.announce({ pid: process.pid, address });
    printWelcome({ address, contents: keyturn.contents, settings });
  } catch (error) {
    // A signal during start-up closes what the start needs, so that its failure is not an error.
    if (isSignalled()) return;
    await close().catch(() => {});
    throw error;
  }
}

/**
 * Shuts down gracefully on the first signal; exits at once on a later one, or ten seconds after requests had to be
 * finished. One Ctrl-C can arrive twice, from the terminal and from npm.
 * @returns a function that tells whether a signal has arrived
 */
function closeOnSignal(
  { drainSeconds, stopSeconds }: Pick<Settings, 'drainSeconds' | 'stopSeconds'>,
  close: () => Promise<void>,
): () => boolean {
  let closingSince: number | undefined;
  const onSignal = () => {
    if (closingSince !== undefined) {
      if (performance.now() - closingSince > 1_000) process.exit(1);
      return;
    }
    closingSince = performance.now();
    const limit = drainSeconds + stopSeconds + 10;
    setTimeout(() => {
      console.error(`The server ended unfinished, because its stop took longer than ${limit} seconds.`);
      process.exit(1);
    }, limit * 1_000).unref();
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
