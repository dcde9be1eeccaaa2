import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['apps/dashboard', 'apps/desk', 'packages/ui'].map((folder) => join(root, folder, 'src'));
/** The folders of workspaces whose stylesheets others import. */
const exported = { '@keyturn/dashboard': 'apps/dashboard/src', '@keyturn/ui': 'packages/ui/src' };

/** The classes of CSS modules that a component uses: by name, and not through a variable. */
function usedClasses(file: string): { stylesheet: string; name: string }[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm);
  return [...imports].flatMap(([, variable = '', path = '']) =>
    [...text.matchAll(new RegExp(`\\b${variable}\\.(?!(?:module|css)\\b)(\\w+)`, 'g'))].map(
      ([, name = '']) => ({
        stylesheet: stylesheetOf(file, path),
        name,
      }),
    ),
  );
}

function stylesheetOf(file: string, path: string): string {
  const [name, folder] = Object.entries(exported).find(([name]) => path.startsWith(`${name}/`)) ?? [];
  return name && folder ? join(root, path.replace(name, folder)) : join(dirname(file), path);
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
  expect(undefinedClasses.map(({ stylesheet, name }) => `${stylesheet.slice(root.length)}: ${name}`)).toEqual(
    [],
  );
});

test('every custom property that a stylesheet uses is defined', () => {
  const read = (endings: readonly string[]) =>
    sources.flatMap((source) =>
      readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((file) => endings.some((ending) => file.endsWith(ending)))
        .map((file) => readFileSync(join(source, file), 'utf8')),
    );
  const namesIn = (texts: readonly string[], pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const styles = read(['.css']);
  // Components set some on an element, with a quoted name.
  const defined = new Set([
    ...namesIn(styles, /(--[\w-]+)\s*:/g),
    ...namesIn(read(['.ts', '.tsx']), /['"`](--[\w-]+)['"`]/g),
  ]);
  // Libraries may set those with a value to fall back to.
  const used = namesIn(styles, /var\((--[\w-]+)\)/g);
  expect(used.length).toBeGreaterThan(500);
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
});
