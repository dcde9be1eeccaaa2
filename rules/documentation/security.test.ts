import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = [
  ...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(
    /^\| (\d+) \| [^|]+ \| ([^|]+) \|([^|]*)\|$/gm,
  ),
].map(([, number, answer = '', files = '']) => ({
  number: Number(number),
  answer,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => inFull(file)),
}));

test('docs/security.md answers each of the 60 requirements once', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

test('docs/security.md says of each requirement whether it is done, partly, not yet or the firm’s', () => {
  const answers = /^(Done|Partly|Not yet|\*\*The firm\*\*)/;
  expect(rows.filter(({ answer }) => !answers.test(answer))).toEqual([]);
});

test('docs/security.md names existing tests for everything that is done', () => {
  const unproven = rows.filter(({ answer, files }) => answer.startsWith('Done') && files.length === 0);
  expect(unproven).toEqual([]);
  const missing = rows.flatMap(({ files }) => files).filter((file) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

function inFull(file: string): string {
  return file.replace(/^server\//, 'apps/server/src/').replace(/^dashboard\//, 'apps/dashboard/src/');
}

const sources = execFileSync('git', ['ls-files', 'apps/*/src/**/*.ts*', 'packages/*/src/**/*.ts*'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('messages between windows name this origin, and their receivers check it, as docs/security.md says', () => {
  const senders = sources.filter(({ text }) => /(window|parent|opener|Window)\??\.postMessage\(/.test(text));
  const receivers = sources.filter(({ text }) => text.includes("window.addEventListener('message'"));
  expect(senders.length, 'senders').toBeGreaterThan(0);
  expect(senders.filter(({ text }) => !/\.postMessage\(\w+, location\.origin\)/.test(text))).toEqual([]);
  expect(receivers.length, 'receivers').toBeGreaterThan(0);
  expect(receivers.filter(({ text }) => !text.includes('location.origin'))).toEqual([]);
});

test('no source file writes HTML from a string, and one creates the policy of trusted types, as docs/security.md says', () => {
  expect(
    filesWith(/\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write\()/),
  ).toEqual([]);
  expect(filesWith(/\bcreatePolicy\(/)).toEqual(['apps/dashboard/src/api/services/trusted-types.ts']);
});

test('the browser apps are built without source maps, as docs/security.md says', () => {
  for (const app of ['dashboard', 'desk']) {
    expect(readFileSync(join(root, `apps/${app}/vite.config.ts`), 'utf8'), app).toContain('sourcemap: false');
  }
});

test('requests from other origins may carry cookies only to the routes that docs/security.md names', () => {
  expect(filesWith(/cookies: 'allowed-origins',|cookies: 'allowed-origins' }/).sort()).toEqual([
    'apps/server/src/doors/client/authorise-channels.ts',
    'apps/server/src/doors/client/serve-firm-files.ts',
    'packages/contract/src/calls/account-calls.ts',
    'packages/contract/src/calls/sign-in-calls.ts',
  ]);
});
