import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectDirectory } from './start-product.ts';

/**
 * Copies the dashboard's build as if it were another deployment: with its own id and timestamp, and with new names for
 * all files that have a hash in theirs.
 */
export function copyBuild(folder: string, build: { id: string; timestamp: number }): string {
  const from = join(projectDirectory, 'apps/dashboard/dist');
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
    .filter((file) => !/^(builds|\.vite)/.test(file));
  const renamed = new Map(
    files
      .filter((file) => /^assets\/[^/]+-[\w-]{8}\.\w+$/.test(file))
      .map((file) => [basename(file), basename(file).replace(/(\.\w+)$/, `-${build.id.slice(0, 4)}$1`)]),
  );
  const names = new RegExp([...renamed.keys()].map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  for (const file of files) {
    const target = join(folder, dirname(file), renamed.get(basename(file)) ?? basename(file));
    mkdirSync(dirname(target), { recursive: true });
    const content = readFileSync(join(from, file));
    writeFileSync(
      target,
      /\.(html|js|mjs|css)$|pages\.json$/.test(file)
        ? content
            .toString()
            .replaceAll(names, (name) => renamed.get(name) ?? name)
            .replace(/(id="keyturn-build">)[^<]*/, `$1${JSON.stringify(build)}`)
        : content,
    );
  }
  mkdirSync(join(folder, 'builds', 'meta'), { recursive: true });
  const own = readdirSync(join(from, 'builds', 'meta')).find((file) => file.endsWith('.json')) ?? '';
  const manifest = { ...JSON.parse(readFileSync(join(from, 'builds', 'meta', own), 'utf8')), ...build };
  writeFileSync(join(folder, 'builds', 'meta', `${build.id}.json`), JSON.stringify(manifest));
  writeFileSync(join(folder, 'builds', 'latest.json'), JSON.stringify(build));
  return folder;
}
