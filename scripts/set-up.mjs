// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Prepares a clone for the other scripts: checks Node, installs packages and builds what has changed.
 * Plain JavaScript that uses only Node's modules, because it runs before packages are installed.
 */

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Exits with a one-line message unless this is Node 20.19 or newer. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Keyturn needs Node 20.19 or newer, but this is ${process.versions.node}. Get it from https://nodejs.org`,
  );
  process.exit(1);
}

/** Installs the packages of package-lock.json unless they are installed already. */
export function install() {
  const wanted = hashOf(['package-lock.json', 'package.json']);
  const stamp = join(root, 'node_modules', '.keyturn-installed');
  const isInstalled = () => readOrEmpty(stamp) === wanted;
  if (isInstalled()) return;
  withLock(() => {
    if (isInstalled()) return;
    console.log('Installing packages …');
    // `npm ci` fails unless package.json and the lock file agree. It removes all packages first, so an installation that
    // was complete before the lock file changed is only updated.
    const command = existsSync(stamp) ? ['install', '--no-save'] : ['ci'];
    run('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(stamp, wanted);
  });
}

/**
 * The folders that the build of an app contains: the app and the workspaces it depends on.
 *
 * @param {string} folder the app or package, relative to the project
 * @returns {string[]}
 */
function buildSources(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const packages = Object.keys(dependencies)
    .filter((name) => name.startsWith('@keyturn/'))
    .map((name) => name.replace('@keyturn/', name === '@keyturn/dashboard' ? 'apps/' : 'packages/'));
  return [...new Set([folder, ...packages.flatMap(buildSources)])];
}

const sharedSources = ['package-lock.json', 'tsconfig.base.json', 'scripts/set-up.mjs'];
/** The server contains the demonstration firm. */
const serverSources = [...sharedSources, 'demo'];

/** Builds the dashboard, the desk and the server, each only if its sources have changed since its last build. */
export function build() {
  buildApp('dashboard', 'index.html');
  buildApp('desk', 'index.html');
  buildApp('server', 'main.js');
}

/**
 * @param {'dashboard' | 'desk' | 'server'} app
 * @param {string} entryFile a file that every complete build contains
 */
function buildApp(app, entryFile) {
  const wanted = hashOf([
    ...(app === 'server' ? serverSources : sharedSources),
    ...buildSources(`apps/${app}`),
  ]);
  const folder = join(root, 'apps', app, 'dist');
  // The stamp is in the folder that Vite empties first, so that an interrupted build leaves none.
  const stamp = join(folder, '.built-from');
  const isBuilt = () => readOrEmpty(stamp) === wanted && existsSync(join(folder, entryFile));
  if (isBuilt()) return;
  withLock(() => {
    if (isBuilt()) return;
    console.log(`Building the ${app} …`);
    run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], {
      folder: `apps/${app}`,
      // Always builds for production, even when a test run starts the build.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    writeFileSync(stamp, wanted);
  });
}

/**
 * Runs a command to its end and exits with its status if it fails.
 * @param {string} command
 * @param {string[]} args
 * @param {{ folder?: string, env?: NodeJS.ProcessEnv }} [options] the folder is relative to the project
 */
export function run(command, args, { folder = '.', env = process.env } = {}) {
  const isNpmOnWindows = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, {
    cwd: join(root, folder),
    env,
    stdio: 'inherit',
    shell: isNpmOnWindows,
  });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * Runs `work` while no other process of this clone installs or builds, because `npm start` and `npm test` may run at
 * the same time.
 * @param {() => void} work
 */
function withLock(work) {
  const lock = join(root, '.set-up.lock');
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const owner = Number(readOrEmpty(join(lock, 'pid')));
      if (owner && !isAlive(owner)) rmSync(lock, { recursive: true, force: true });
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
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Hashes the names and contents of all files, except tests, test fixtures and build output.
 * @param {readonly string[]} paths files and folders, relative to the project
 */
function hashOf(paths) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) if (!isIgnored(name)) add(join(path, name));
    } else {
      hash.update(relative(root, path)).update(readFileSync(path));
    }
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
}

/** @param {string} name of a file or folder that no build contains */
const isIgnored = (name) =>
  /^(node_modules|dist|fixtures|testing|\.dev-\d+)$/.test(name) || /\.(test\.tsx?|md)$/.test(name);

/** @param {string} file */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
