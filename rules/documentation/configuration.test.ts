import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
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

describe('docs/incidents-and-keys.md', () => {
  const isLikeSecret = (name: string) =>
    /SECRET|PASSWORD|TOKEN|KEY(S|_ID)?$|CREDENTIAL|DSN|HEADERS|URL$/.test(name) && !notSecret.includes(name);

  test('every setting that sounds like a secret can be read from a file', () => {
    expect(names.filter((name) => isLikeSecret(name) && !secrets.includes(name))).toEqual([]);
    expect(notSecret.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('docs/incidents-and-keys.md says how to change every secret of the settings and of Compose, and how to check it', () => {
    const text = readFileSync(join(root, 'docs/incidents-and-keys.md'), 'utf8');
    const [, table = ''] = text.split(/^\| Secret \|.*\n\|[-|]+\n/m);
    const rows = table
      .trim()
      .split('\n')
      .map((line) => line.split('|').slice(1, -1));
    const described = rows.flatMap(([name = '']) =>
      [...name.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, setting]) => setting),
    );
    const compose = parseEnv(readFileSync(join(root, 'deploy/keyturn.env.example'), 'utf8'));
    const required = new Set([...secrets, ...Object.keys(compose).filter(isLikeSecret)]);
    expect([...required].filter((name) => !described.includes(name))).toEqual([]);
    const incomplete = rows.filter(
      (cells) => cells.length !== 5 || (/`[A-Z]/.test(cells[0] ?? '') && cells.some((cell) => !cell.trim())),
    );
    expect(incomplete).toEqual([]);
  });
});

/** Settings whose names sound like secrets. */
const notSecret = [
  'KEYTURN_API_BASE_URL',
  'KEYTURN_PUBLIC_URL',
  'KEYTURN_REALTIME_KEY',
  'KEYTURN_S3_KMS_KEY_ID',
  'KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY',
  'KEYTURN_STRIPE_FULL_KEYS',
  'KEYTURN_STRIPE_PUBLISHABLE_KEY',
];

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
