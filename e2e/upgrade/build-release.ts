import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFunction, expandingMigrations } from '../../apps/server/src/testing/expanding-migrations.ts';
import { projectDirectory } from '../harness/start-product.ts';

/** Runs git in the project, and returns what it prints. */
export const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: projectDirectory,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Whether all commits are here. A shallow clone has only the latest ones, and an archive none. */
export function hasWholeHistory(): boolean {
  try {
    return git('rev-parse', '--is-shallow-repository').toString().trim() === 'false';
  } catch {
    return false;
  }
}

/** Whether a commit is part of the history of the sources here. */
export function isInHistory(commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the server of a commit in a temporary folder, from its own sources and with the packages that are installed
 * here.
 * @returns the folder
 */
export function buildServerOf(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-release-'));
  execFileSync('tar', ['--extract', '--directory', folder], { input: git('archive', commit) });
  linkPackages(folder);
  buildServer(folder);
  return folder;
}

const server = 'apps/server';
/** Not links, because Node.js would look for their neighbours where the links lead. */
const copied = ['bin', 'src'];

/**
 * Builds the server of the sources here with further migrations and a changed function, as those of a next release, in a
 * temporary folder.
 * @returns the folder
 */
export function buildNextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-next-'));
  link('', folder, { except: ['apps'] });
  link('apps', folder, { except: ['server'] });
  link(server, folder, { except: [...copied, 'dist'] });
  for (const name of copied)
    cpSync(join(projectDirectory, server, name), join(folder, server, name), { recursive: true });
  const schema = join(folder, server, 'src/schema');
  mkdirSync(join(schema, 'migrations'), { recursive: true });
  for (const { number, name, sql } of expandingMigrations) {
    const file = `${String(number).padStart(4, '0')}_${name}.sql`;
    writeFileSync(join(schema, 'migrations', file), sql);
  }
  writeFileSync(join(schema, changedFunction.path), changedFunction.sql);
  buildServer(folder);
  return folder;
}

/** Links what a folder here contains from the same folder of a copy. */
function link(from: string, copy: string, { except }: { except: string[] }): void {
  mkdirSync(join(copy, from), { recursive: true });
  for (const name of readdirSync(join(projectDirectory, from))) {
    if (!except.includes(name)) symlinkSync(join(projectDirectory, from, name), join(copy, from, name));
  }
}

function buildServer(folder: string): void {
  const vite = join(projectDirectory, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(folder, server),
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Links the installed packages, and the release’s own workspaces in place of the current ones. */
function linkPackages(folder: string): void {
  linkAll(join(projectDirectory, 'node_modules'), join(folder, 'node_modules'));
  for (const parent of ['packages', 'apps']) {
    for (const name of readdirSync(join(folder, parent))) {
      symlinkSync(join(folder, parent, name), join(folder, 'node_modules/@keyturn', name));
      // Packages of which the workspaces have different versions.
      const installed = join(projectDirectory, parent, name, 'node_modules');
      if (existsSync(installed)) linkAll(installed, join(folder, parent, name, 'node_modules'));
    }
  }
}

function linkAll(from: string, to: string): void {
  mkdirSync(join(to, '@keyturn'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@keyturn') symlinkSync(join(from, name), join(to, name));
  }
}
