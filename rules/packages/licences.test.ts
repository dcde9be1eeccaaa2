import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  license?: string;
  link?: boolean;
  dev?: boolean;
}

const root = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Licences under which a package may be used and passed on without publishing Keyturn’s own source. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'Unlicense',
  // Fonts.
  'OFL-1.1',
]);

/** Packages with another licence, or none in package-lock.json, with the reason why they may be used. */
const exceptions: Record<string, string> = {
  'ag-grid-enterprise':
    'commercial: loaded only with KEYTURN_DATA_GRID_EDITION=enterprise; the firm buys a licence',
  'ag-charts-enterprise': 'commercial: a dependency of ag-grid-enterprise',
  'png-js': 'MIT, in its LICENSE file',
  'xmlhttprequest-ssl': 'MIT, in its LICENSE file',
};

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const installed = Object.entries(packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
);

test('every package that Keyturn runs with has a licence that is allowed', () => {
  expect(installed.length).toBeGreaterThan(100);
  const others = installed.filter(
    ([path, { license }]) => !allowed.has(license ?? '') && !(nameOf(path) in exceptions),
  );
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test('every exception to the allowed licences is a package that is still used', () => {
  const names = new Set(installed.map(([path]) => nameOf(path)));
  expect(Object.keys(exceptions).filter((name) => !names.has(name))).toEqual([]);
});

test('the list of components has the packages that Keyturn runs with, and none that only build or test it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-components-'));
  try {
    const file = join(folder, 'components.json');
    execFileSync(process.execPath, [join(root, 'scripts/list-components.mjs'), file], { stdio: 'pipe' });
    const bill = JSON.parse(readFileSync(file, 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'keyturn' } } });
    const components = (bill.components as { name: string; purl: string }[])
      .map(({ purl }) => purl)
      .join('\n');
    for (const name of ['fastify', 'react', 'pg', 'stripe']) expect(components).toContain(`pkg:npm/${name}@`);
    for (const name of ['vitest', 'knip', 'playwright-core'])
      expect(components).not.toContain(`pkg:npm/${name}@`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
