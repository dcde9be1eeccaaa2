// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './set-up.mjs';

/*
 * Runs every `check:…` script of package.json and the scripts that its arguments name, two at a time, and prints the
 * output of each when it ends. The longest come first, so that none runs alone at the end. It runs all of them, also after
 * a failure, names the failed ones at the end and exits with 1.
 */

const concurrentChecks = 2;
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isCheck = (/** @type {string} */ name) =>
  name.startsWith('check:') && !scripts[name].startsWith('npm run');
const waiting = [...process.argv.slice(2), ...Object.keys(scripts).filter(isCheck)];
/** @type {string[]} */
const failed = [];

/**
 * @param {string} name of a script of package.json
 * @returns {Promise<boolean>} whether it succeeded
 */
function runCheck(name) {
  const check = spawn('npm', ['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  /** @type {Buffer[]} */
  const output = [];
  check.stdout.on('data', (chunk) => output.push(chunk));
  check.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    check.once('error', (error) => {
      console.error(`${name}: ${error.message}`);
      resolve(false);
    });
    check.once('close', (code) => {
      console.log(`${name} ${code === 0 ? 'passed' : 'failed'}`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

async function runNextChecks() {
  for (let name = waiting.shift(); name; name = waiting.shift()) {
    if (!(await runCheck(name))) failed.push(name);
  }
}

await Promise.all(Array.from({ length: concurrentChecks }, runNextChecks));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.map((name) => `npm run ${name}`).join(', ')}`);
  process.exitCode = 1;
}
