import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const apps = fileURLToPath(new URL('../../apps/', import.meta.url));
const sources = ['dashboard', 'desk'].map((app) => join(apps, app, 'src'));

/** The classes of CSS modules that a component uses: by name, and not through a variable. */
function usedClasses(file: string): { stylesheet: string; name: string }[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm);
  return [...imports].flatMap(([, variable = '', path = '']) =>
    [...text.matchAll(new RegExp(`\\b${variable}\\.(?!(?:module|css)\\b)(\\w+)`, 'g'))].map(
      ([, name = '']) => ({
        stylesheet: path.startsWith('@keyturn/dashboard/')
          ? join(apps, path.replace('@keyturn/dashboard', 'dashboard/src'))
          : join(dirname(file), path),
        name,
      }),
    ),
  );
}

test('every CSS module class that a component uses is defined', () => {
  const components = sources.flatMap((source) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => join(source, file)),
  );
  const used = components.flatMap(usedClasses);
  expect(used.length).toBeGreaterThan(500);
  const undefinedClasses = used.filter(({ stylesheet, name }) => {
    const styles = existsSync(stylesheet) ? readFileSync(stylesheet, 'utf8') : '';
    return !new RegExp(`\\.${name}\\b`).test(styles);
  });
  expect(undefinedClasses.map(({ stylesheet, name }) => `${stylesheet.slice(apps.length)}: ${name}`)).toEqual(
    [],
  );
});
