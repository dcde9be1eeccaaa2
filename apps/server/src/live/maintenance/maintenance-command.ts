import { type MaintenanceArea, maintenanceAreas } from '@keyturn/contract';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Database } from '../../platform/database.ts';
import { formatLondonTime, parseLondonTime } from '../../platform/london-time.ts';
import { createMaintenanceReader } from './read-maintenance.ts';
import { type MaintenanceSwitch, switchMaintenance } from './switch-maintenance.ts';

/** Defines `keyturn maintenance`. */
export function maintenanceCommand(
  clock: Clock,
  run: (parsed: MaintenanceSwitch | 'show') => Promise<void>,
): Command {
  return createCommand('maintenance')
    .description('Turn maintenance mode on or off, or show its current state.')
    .addArgument(
      new Argument('[state]', 'the new state; leave it out to show the current one').choices(['on', 'off']),
    )
    .addOption(
      new Option('--area <area>', 'the part of the dashboard').choices(maintenanceAreas).default('general'),
    )
    .option('--message <text>', 'a message for clients, at most 500 characters', parseMessage)
    .option(
      '--until <time>',
      'when maintenance is expected to end, in London time: 14:00 or "2026-11-24 14:00"',
      (text) => parseUntil(text, clock()),
    )
    .action((state: 'on' | 'off' | undefined, { area, message = null, until = null }) =>
      run(state === undefined ? 'show' : { area, on: state === 'on', message, until }),
    );
}

function parseMessage(text: string): string | null {
  const message = text.trim() || null;
  if (message !== null && message.length > 500) {
    throw new InvalidArgumentError('It can have at most 500 characters.');
  }
  return message;
}

function parseUntil(text: string, now: Date): Date {
  const until = parseLondonTime(text.trim(), now);
  if (!until) {
    throw new InvalidArgumentError('It must be a time in London such as 14:00 or "2026-11-24 14:00".');
  }
  if (until <= now) throw new InvalidArgumentError('It must be in the future.');
  return until;
}

/** Switches maintenance if requested, and prints the current state. */
export async function runMaintenance(
  database: Database,
  asked: MaintenanceSwitch | 'show',
  print: (line: string) => void,
): Promise<0> {
  if (asked !== 'show') await switchMaintenance(database, asked);
  const { general, case_history } = await createMaintenanceReader(database, () => new Date())();
  const stands: [MaintenanceArea, typeof general][] = [
    ['general', general],
    ['case-history', case_history],
  ];
  for (const [area, notice] of stands) {
    const until = notice?.until ? `, expected to end ${formatLondonTime(new Date(notice.until))}` : '';
    const words = notice?.message ? `: "${notice.message}"` : '';
    print(`${area}: ${notice ? `in maintenance${until}${words}` : 'open'}`);
  }
  return 0;
}
