import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../harness/start-product.ts';

/** Returns the seconds of a setting in `deploy/Caddyfile`. */
export const caddySeconds = (name: string): number => find('Caddyfile', new RegExp(`\\b${name} (\\d+)s\\b`));

/** Returns the seconds for which the servers of `deploy/compose.yaml` drain. */
export const drainSeconds = (): number => find('compose.yaml', /KEYTURN_DRAIN_SECONDS: "(\d+)"/);

function find(file: string, setting: RegExp): number {
  const [, seconds] = setting.exec(readFileSync(join(projectDirectory, 'deploy', file), 'utf8')) ?? [];
  if (seconds === undefined) throw new Error(`deploy/${file} does not contain ${setting}`);
  return Number(seconds);
}
