import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../apps/server/src/settings/read-settings.ts';

const root = join(import.meta.dirname, '../..');
const variables = settingsReadByServer();
/** The settings that can also be in a file. */
const secrets = [...variables].filter((name) => variables.has(`${name}_FILE`));
const names = [...variables].filter((name) => !secrets.some((secret) => name === `${secret}_FILE`));

describe('docs/configuration.md', () => {
  test('docs/configuration.md describes every setting that the server reads, and no other', () => {
    expect(settingsInDocument().sort()).toEqual(names.toSorted());
  });

  test('docs/configuration.md gives a description of every setting', () => {
    expect(rowsOfDocument().filter(([, , description]) => !description)).toEqual([]);
  });
});

/** Records which environment variables the server reads. */
function settingsReadByServer(): Set<string> {
  const names = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readSettings(env, root);
  return names;
}

const settingsInDocument = () => rowsOfDocument().map(([name = '']) => name.replaceAll('`', ''));

/** The cells of all rows that describe a setting: name, default, description. */
function rowsOfDocument(): string[][] {
  const text = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
