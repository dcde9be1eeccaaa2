import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, '../..');
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Lists the folders in which a package at this path finds the packages it imports, the nearest first. */
function searchPath(path: string): string[] {
  const parts = path.split('/node_modules/');
  const nested = parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`);
  return [...(path === '' ? [] : nested), ''];
}

const isLocked = (path: string, name: string) =>
  searchPath(path).some((folder) => `${folder}node_modules/${name}` in packages);

test('package-lock.json locks every dependency for every platform, which npm ci requires', () => {
  const missing = Object.entries(packages).flatMap(([path, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.devDependencies, ...locked.optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path || 'package.json'} needs ${name}`),
  );
  expect(missing).toEqual([]);
});

test('package-lock.json names no registry host', () => {
  const hosts = Object.entries(packages).filter(
    ([, { resolved, link }]) => resolved !== undefined && link !== true,
  );
  expect(hosts).toEqual([]);
});

test('package-lock.json has the hash of every package, so that npm notices a changed one', () => {
  const unchecked = Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});
