import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDirectory } from '../harness/start-product.ts';

const git = (...args: string[]) =>
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
  const vite = join(projectDirectory, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: join(folder, 'apps/server'),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  return folder;
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
