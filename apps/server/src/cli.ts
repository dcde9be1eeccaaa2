import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { allCommands } from './composition/commands/all-commands.ts';
import { createCommandContext } from './composition/commands/command-context.ts';
import { createCommand } from './platform/commands/create-command.ts';
import { describeStartFailure } from './platform/start-fault.ts';

/**
 * Runs one command of `keyturn`, next to a running server or without one, with the same settings.
 * @returns the exit code; 2 for an invalid command
 */
async function main(args: string[]): Promise<number> {
  let exitCode = 0;
  const context = createCommandContext({
    // The built program is `apps/server/dist/cli.js`.
    projectDirectory: fileURLToPath(new URL('../../../', import.meta.url)),
    pdfWorker: new URL('./pdf-worker.js', import.meta.url),
    setExitCode: (result) => {
      exitCode = result;
    },
  });
  const program = createCommand('keyturn').description(
    'Manages a Keyturn installation, whether or not its server is running.',
  );
  for (const define of allCommands) program.addCommand(define(context));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(describeStartFailure(error));
    process.exitCode = 2;
  },
);
