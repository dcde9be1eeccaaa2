// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './set-up.mjs';

/* Moves the notes in changes/ to CHANGELOG.md: `npm run release:changes -- 0.3.0`. See changes/README.md. */

/** The folders of changes/, in the order of the changelog, with their headings there. */
export const sections = {
  upgrade: 'Before you upgrade',
  clients: 'Clients',
  staff: 'Staff',
  systems: 'Firm’s systems',
  operation: 'Operation',
};

/**
 * Adds notes to a version of a changelog: to its section, if it is the first one and unreleased, or to a new one.
 * @param {string} changelog
 * @param {{ version: string, date: string, notes: Record<string, string[]> }} release the notes of each folder
 * @returns {string} the changelog
 */
export function addNotes(changelog, { version, date, notes }) {
  const [head = '', ...versions] = changelog.split(/^## /m);
  const isStarted = versions[0]?.startsWith(`${version} (unreleased)\n`);
  const [, ...parts] = isStarted ? (versions.shift() ?? '').split(/^### /m) : [''];
  const bodies = Object.entries(sections).map(([folder, heading]) => {
    const written =
      parts
        .find((part) => part.startsWith(`${heading}\n`))
        ?.slice(heading.length)
        .trim() ?? '';
    const added = (notes[folder] ?? []).map((note) => `- ${note.trim().replaceAll('\n', '\n  ')}`);
    const body = [written, ...added].filter(Boolean).join('\n');
    return body && `### ${heading}\n\n${body}\n\n`;
  });
  const rest = versions.map((text) => `## ${text}`).join('');
  return `${head}## ${version} (${date})\n\n${bodies.join('')}${rest}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [version] = process.argv.slice(2);
  if (!version || !/^\d+\.\d+\.\d+$/.test(version)) {
    console.error('Usage: npm run release:changes -- 0.3.0');
    process.exit(1);
  }
  /** @type {Record<string, string[]>} */
  const notes = {};
  for (const folder of Object.keys(sections)) {
    const path = join(root, 'changes', folder);
    const files = existsSync(path) ? readdirSync(path).sort() : [];
    notes[folder] = files.map((file) => readFileSync(join(path, file), 'utf8'));
  }
  const changelog = join(root, 'CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, addNotes(readFileSync(changelog, 'utf8'), { version, date, notes }));
  for (const folder of Object.keys(sections))
    rmSync(join(root, 'changes', folder), { recursive: true, force: true });
}
