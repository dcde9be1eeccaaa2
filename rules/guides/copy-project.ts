import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Copies the files of the work tree to a temporary folder, with links to the installed packages.
 * @returns the folder
 */
export function copyProject(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'keyturn-guide-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  for (const folder of new Set(files.map(dirname))) mkdirSync(join(copy, folder), { recursive: true });
  for (const file of files) copyFileSync(join(root, file), join(copy, file));
  for (const workspace of ['.', ...files.filter((file) => file.endsWith('/package.json')).map(dirname)]) {
    linkPackages(join(root, workspace, 'node_modules'), join(copy, workspace, 'node_modules'));
  }
  return copy;
}

/** Packages are linked, not scopes: the packages of the scope @keyturn are relative links, which lead to the copy. */
function linkPackages(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.name.startsWith('@')) linkPackages(source, target);
    else if (!/^\.(vite|cache|keyturn-program)/.test(entry.name)) symlinkSync(source, target);
  }
}
