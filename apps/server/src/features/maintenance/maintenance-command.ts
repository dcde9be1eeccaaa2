import { parseArgs } from 'node:util';
import { type MaintenanceArea, maintenanceAreas } from '@keyturn/contract';
import type { Database } from '../../platform/database.ts';
import { formatLondonTime, parseLondonTime } from '../../platform/london-time.ts';
import { createMaintenanceReader } from './read-maintenance.ts';
import { type MaintenanceSwitch, switchMaintenance } from './switch-maintenance.ts';

export const maintenanceUsage =
  'Usage: keyturn maintenance [on|off] [--area case-history] [--message TEXT] [--until "2026-11-24 14:00"]';

/**
 * @returns what to switch; `show`: nothing, only tell how things stand
 * @throws Error in words for who typed it
 */
export function parseMaintenanceCommand(args: string[], now: Date): MaintenanceSwitch | 'show' {
  const { values, positionals } = readWords(args);
  const [word, ...more] = positionals;
  if (more.length > 0 || (word !== undefined && word !== 'on' && word !== 'off')) {
    throw new Error(maintenanceUsage);
  }
  if (word === undefined) return 'show';
  const area = maintenanceAreas.find((known) => known === (values.area ?? 'general'));
  if (!area) throw new Error(`--area must be one of ${maintenanceAreas.join(', ')}.`);
  const message = values.message?.trim() || null;
  if (message !== null && message.length > 500) throw new Error('--message may have 500 characters at most.');
  const until = values.until === undefined ? null : parseLondonTime(values.until.trim(), now);
  if (values.until !== undefined && !until) {
    throw new Error('--until must be a time in London such as 14:00 or "2026-11-24 14:00".');
  }
  if (until && until <= now) throw new Error('--until is over already.');
  return { area, on: word === 'on', message, until };
}

function readWords(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { area: { type: 'string' }, message: { type: 'string' }, until: { type: 'string' } },
    });
  } catch {
    throw new Error(maintenanceUsage);
  }
}

/** Switches, where that is asked for, and tells how things stand. */
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
