import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Processes whose CPU time is measured together, such as PostgreSQL's; the first one is the parent of the others. */
export interface MeasuredProcesses {
  pid: number;
  withChildren: boolean;
}

/**
 * Reads the CPU time that processes and their ended children have used since their start.
 * @returns milliseconds; null where the system has no `/proc`
 */
export function readCpuTime({ pid, withChildren }: MeasuredProcesses): number | null {
  const own = readTicks(pid);
  if (own === null) return null;
  const children = withChildren ? readdirSync('/proc').filter((name) => parentOf(name) === pid) : [];
  const ticks = children.reduce((sum, child) => sum + (readTicks(Number(child))?.running ?? 0), 0);
  return (ticks + own.running + (withChildren ? own.ended : 0)) * millisecondsPerTick;
}

/** Reads the process id of the postmaster of a cluster. */
export const readPostmaster = (clusterDirectory: string): number =>
  Number(readFileSync(join(clusterDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** `USER_HZ` is 100 on every Linux that Node runs on. */
const millisecondsPerTick = 10;

/** Reads the fields of `/proc/PID/stat` from the third on: the name before them can contain spaces. */
function readFields(pid: number | string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function readTicks(pid: number): { running: number; ended: number } | null {
  const fields = readFields(pid);
  if (!fields) return null;
  const sum = (from: number) => Number(fields[from]) + Number(fields[from + 1]);
  return { running: sum(11), ended: sum(13) };
}

const parentOf = (name: string): number | null =>
  /^\d+$/.test(name) ? Number(readFields(name)?.[1] ?? Number.NaN) : null;
