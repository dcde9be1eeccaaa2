import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addNotes, sections } from '../../scripts/gather-changes.mjs';

const root = join(import.meta.dirname, '../..');
const changes = join(root, 'changes');

test('each file in changes/ is in the folder of a section and contains a note of one to three lines without a bullet', () => {
  const folders = readdirSync(changes).filter((name) => statSync(join(changes, name)).isDirectory());
  expect(folders.filter((folder) => !(folder in sections))).toEqual([]);
  const invalid = folders
    .flatMap((folder) => readdirSync(join(changes, folder)).map((file) => join(folder, file)))
    .filter((file) => !/^[^-\s#*].*(\n.+){0,2}\n$/.test(readFileSync(join(changes, file), 'utf8')));
  expect(invalid).toEqual([]);
});

test('the first version in CHANGELOG.md has at most 120 lines', () => {
  const [, first = ''] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  expect(first.split('\n').length).toBeLessThanOrEqual(120);
});

test('a release adds its notes to the section of its version', () => {
  const started = '# Changelog\n\n## 1.1.0 (unreleased)\n\n### Staff\n\n- Old.\n\n## 1.0.0\n\n- First.\n';
  const release = { date: '2026-11-20', notes: { staff: ['New,\non two lines.\n'], upgrade: ['Set it.\n'] } };
  const section = (version: string, staff: string) =>
    `## ${version} (2026-11-20)\n\n### Before you upgrade\n\n- Set it.\n\n### Staff\n\n${staff}- New,\n  on two lines.\n\n`;
  expect(addNotes(started, { version: '1.1.0', ...release })).toBe(
    `# Changelog\n\n${section('1.1.0', '- Old.\n')}## 1.0.0\n\n- First.\n`,
  );
  expect(addNotes('# Changelog\n\n## 1.0.0\n\n- First.\n', { version: '1.1.0', ...release })).toBe(
    `# Changelog\n\n${section('1.1.0', '')}## 1.0.0\n\n- First.\n`,
  );
});
