// @ts-check
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import { readableComments, readableText } from '../rules/words/readable-text.mjs';
import { terminologyRule } from '../rules/words/terminology-rule.mjs';
import { root } from './set-up.mjs';

/*
 * Reports words of rules/words/terminology.mjs in Markdown, comments, test titles and texts for people, with what to
 * write instead. Arguments limit the check to paths: `node scripts/check-terminology.mjs docs apps/server`. Files without
 * problems are kept by the hash of their content, and not read again until they or the rules change.
 */

const require = createRequire(import.meta.url);
const plugins = [
  { pluginId: 'markdown', plugin: require('@textlint/textlint-plugin-markdown').default },
  { pluginId: 'text', plugin: require('@textlint/textlint-plugin-text').default },
];
const rules = [{ ruleId: 'terminology', rule: terminologyRule }];
const kernel = new TextlintKernel();

const cache = join(root, 'node_modules/.cache/terminology.txt');
const rulesHash = hash(
  listFiles(['rules/words', 'scripts/check-terminology.mjs', 'package-lock.json'])
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join(''),
);
const clean = new Set(existsSync(cache) ? readFileSync(cache, 'utf8').split('\n') : []);
/** @type {string[]} */
const stillClean = [];
const paths = process.argv.slice(2);
let problems = 0;
for (const file of filesToCheck(paths)) {
  const key = hash(`${rulesHash} ${file} ${readFileSync(join(root, file), 'utf8')}`);
  if (clean.has(key)) {
    stillClean.push(key);
    continue;
  }
  const { text, ext } = readable(file);
  const options = { ext, filePath: join(root, file), plugins, rules };
  const { messages } = await kernel.lintText(text, options);
  for (const { line, column, message } of messages) console.log(`${file}:${line}:${column} ${message}`);
  problems += messages.length;
  if (messages.length === 0) stillClean.push(key);
}
if (paths.length === 0) {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  writeFileSync(cache, stillClean.join('\n'));
}
console.log(problems === 0 ? 'No terminology problems found' : `${problems} terminology problems found`);
process.exitCode = problems === 0 ? 0 : 1;

/** @param {string[]} paths the whole project if empty */
function filesToCheck(paths) {
  return listFiles(paths)
    .filter((file) => /\.(md|ts|tsx|mjs|css|sql|yml)$/.test(file))
    .filter((file) => !file.startsWith('rules/words/') && !file.includes('/migrations/'));
}

/** @param {string[]} paths */
function listFiles(paths) {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

/** @param {string} text */
function hash(text) {
  return createHash('sha256').update(text).digest('base64url');
}

/** @param {string} file */
function readable(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const type = extname(file);
  if (type === '.md') return { text, ext: '.md' };
  const isCode = ['.ts', '.tsx', '.mjs'].includes(type);
  return { text: isCode ? readableText(text, file) : readableComments(text), ext: '.txt' };
}
