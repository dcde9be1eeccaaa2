// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * What `npm start` and `npm test` do before anything else, on a machine that has nothing but Node and npm.
 * Plain JavaScript and Node's own modules only: it runs before anything is installed, on Node 20.
 */

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends with one line unless this is Node 20.19 or newer. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Keyturn needs Node 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`,
  );
  process.exit(1);
}

/** Installs what package-lock.json lists, unless just that is installed. */
export function install() {
  const wanted = hashOf(['package-lock.json', 'package.json']);
  const stamp = join(root, 'node_modules', '.keyturn-installed');
  if (readOr(stamp) === wanted) return;
  alone(() => {
    if (readOr(stamp) === wanted) return;
    console.log('Installing packages (once) …');
    // Not `npm ci`: the lock file need not list the binaries of platforms that it was not made on.
    run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(stamp, wanted);
  });
}

/** Builds server and dashboard, unless the build is of these very sources. */
export function build() {
  const wanted = hashOf(['package-lock.json', 'tsconfig.base.json', 'scripts', 'apps', 'packages']);
  const stamp = join(root, 'apps', 'server', 'dist', '.built-from');
  const isBuilt = () => readOr(stamp) === wanted && existsSync(join(root, 'apps/dashboard/dist/index.html'));
  if (isBuilt()) return;
  alone(() => {
    if (isBuilt()) return;
    console.log('Building (once) …');
    for (const app of ['dashboard', 'server']) {
      run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
        folder: `apps/${app}`,
        // Whoever builds, a test run included: it is the production build.
        env: { ...process.env, NODE_ENV: 'production' },
      });
    }
    writeFileSync(stamp, wanted);
  });
}

/**
 * Runs a command to its end; ends this process with its code when it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options] the folder is within the project
 */
export function run(command, args, { folder = '.', env = process.env } = {}) {
  const windows = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, {
    cwd: join(root, folder),
    env,
    stdio: 'inherit',
    shell: windows,
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * One at a time per clone: a start and a test run may come together.
 * @param {() => void} work
 */
function alone(work) {
  const lock = join(root, '.set-up.lock');
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const holder = Number(readOr(join(lock, 'pid')));
      if (holder && !isAlive(holder)) rmSync(lock, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  const release = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', release);
  writeFileSync(join(lock, 'pid'), String(process.pid));
  work();
  release();
  process.off('exit', release);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string[]} places files and folders within the project; builds and packages in them do not count */
function hashOf(places) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (name !== 'node_modules' && name !== 'dist' && !name.endsWith('.test.ts')) add(join(path, name));
      }
    } else {
      hash.update(relative(root, path)).update(readFileSync(path));
    }
  };
  for (const place of places) add(join(root, place));
  return hash.digest('hex');
}

/** @param {string} file */
function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
