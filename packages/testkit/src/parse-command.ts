import type { Command } from 'commander';

/**
 * Parses arguments as the command line does, and returns what the command would run with.
 * @throws CommanderError with the reason if the arguments are invalid
 */
export function parseCommand<Parsed>(
  define: (run: (parsed: Parsed) => Promise<void>) => Command,
  args: readonly string[],
): Parsed {
  const runs: Parsed[] = [];
  const command = define(async (parsed) => void runs.push(parsed));
  silence(command);
  command.parse(args, { from: 'user' });
  const [parsed] = runs;
  if (parsed === undefined) throw new Error('the arguments run no command');
  return parsed;
}

function silence(command: Command): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} });
  for (const subcommand of command.commands) silence(subcommand);
}
