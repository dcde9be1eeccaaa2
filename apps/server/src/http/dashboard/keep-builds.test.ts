import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { idOfBuild, keepBuilds } from './keep-builds.ts';

let folder: string;
let time: number;
beforeEach(() => {
  time = Date.now();
  folder = mkdtempSync(join(tmpdir(), 'keyturn-builds-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hour = 3_600_000;

/** Creates a build with its own files, served by a server that shares the folder of kept builds. */
function serve(build: string) {
  const directory = join(folder, `dist-${build}`);
  mkdirSync(join(directory, 'assets', 'fonts'), { recursive: true });
  mkdirSync(join(directory, 'builds', 'meta'), { recursive: true });
  writeFileSync(join(directory, 'assets', `start-${build}.js`), build);
  writeFileSync(join(directory, 'assets', 'fonts', `${build}.ttf`), build);
  writeFileSync(join(directory, 'builds', 'meta', `${build}.json`), '{}');
  writeFileSync(join(directory, 'builds', 'latest.json'), JSON.stringify({ id: build, timestamp: time }));
  return {
    directory,
    kept: keepBuilds({ folder: join(folder, 'kept'), directory, build, now: () => time }),
  };
}

describe('kept builds', () => {
  test('the files of a build are kept for a day after a server last served it', async () => {
    const first = serve('aaaaaaaaaaaaaaaa');
    await first.kept.keep();
    rmSync(first.directory, { recursive: true });
    time += 100 * hour;
    await first.kept.keep();
    const second = serve('bbbbbbbbbbbbbbbb');
    await second.kept.keep();
    for (const path of [
      'assets/start-aaaaaaaaaaaaaaaa.js',
      'assets/fonts/aaaaaaaaaaaaaaaa.ttf',
      'builds/meta/aaaaaaaaaaaaaaaa.json',
    ]) {
      expect(await second.kept.find(path)).toBe(join(folder, 'kept', 'aaaaaaaaaaaaaaaa'));
    }
    time += 24 * hour;
    await second.kept.keep();
    expect(await second.kept.find('assets/start-aaaaaaaaaaaaaaaa.js')).not.toBeNull();
    time += 2 * hour;
    await second.kept.keep();
    expect(await second.kept.find('assets/start-aaaaaaaaaaaaaaaa.js')).toBeNull();
    expect(await second.kept.find('assets/start-bbbbbbbbbbbbbbbb.js')).not.toBeNull();
  });

  test('fault 56: finds the files of another server’s build during a rolling deployment', async () => {
    const older = serve('aaaaaaaaaaaaaaaa');
    const newer = serve('bbbbbbbbbbbbbbbb');
    await Promise.all([older.kept.keep(), newer.kept.keep(), newer.kept.keep()]);
    expect(await older.kept.find('assets/start-bbbbbbbbbbbbbbbb.js')).not.toBeNull();
    expect(await newer.kept.find('assets/start-aaaaaaaaaaaaaaaa.js')).not.toBeNull();
    expect(readdirSync(join(folder, 'kept')).sort()).toEqual(['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']);
  });

  test.each([
    '../secret',
    'assets/../../secret',
    'assets/../../../secret.txt',
    'builds/latest.json',
    'assets/.hidden',
    'assets',
    '',
    'assets/a.js\0',
  ])('finds no file outside the kept builds: %s', async (path) => {
    const { kept } = serve('aaaaaaaaaaaaaaaa');
    await kept.keep();
    writeFileSync(join(folder, 'secret'), 'x');
    writeFileSync(join(folder, 'secret.txt'), 'x');
    expect(await kept.find(path)).toBeNull();
  });
});

describe('the id of a build', () => {
  test('reads the id of a build, and returns null for an invalid or missing one', async () => {
    const { directory } = serve('aaaaaaaaaaaaaaaa');
    expect(await idOfBuild(directory)).toBe('aaaaaaaaaaaaaaaa');
    writeFileSync(join(directory, 'builds', 'latest.json'), '{"id":"../../x"}');
    expect(await idOfBuild(directory)).toBeNull();
    expect(await idOfBuild(join(folder, 'nowhere'))).toBeNull();
  });
});
