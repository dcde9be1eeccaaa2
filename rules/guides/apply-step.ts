import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Step } from './read-guide.ts';

/**
 * Creates or changes the file of a step.
 * @throws if the file exists already, or does not contain the lines of a change exactly once
 */
export function applyStep(step: Exclude<Step, { does: 'run' }>, project: string): void {
  const path = join(project, step.file.replace('NNNN', nextMigration(project)));
  if (step.does === 'create') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, step.content, { flag: 'wx' });
    return;
  }
  const [start = '', ...rest] = readFileSync(path, 'utf8').split(step.before);
  if (rest.length !== 1) {
    throw new Error(`${step.file} must contain these lines once, not ${rest.length} times:\n${step.before}`);
  }
  writeFileSync(path, start + step.after + rest[0]);
}

/** The number of the next migration, as in its file’s name. The baseline is 1. */
function nextMigration(project: string): string {
  const migrations = join(project, 'apps/server/src/schema/migrations');
  const files = existsSync(migrations) ? readdirSync(migrations) : [];
  const last = files
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1);
  return String(Number.parseInt(last ?? '1', 10) + 1).padStart(4, '0');
}
