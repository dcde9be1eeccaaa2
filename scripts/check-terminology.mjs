// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import { readableComments, readableText } from '../rules/words/readable-text.mjs';
import { terminologyRule } from '../rules/words/terminology-rule.mjs';
import { root } from './set-up.mjs';

/*
 * Reports words of rules/words/terminology.mjs in Markdown, comments, test titles and texts for people, with what to
 * write instead. Arguments limit the check to paths: `node scripts/check-terminology.mjs docs apps/server`.
 */

const require = createRequire(import.meta.url);
const plugins = [
  { pluginId: 'markdown', plugin: require('@textlint/textlint-plugin-markdown').default },
  { pluginId: 'text', plugin: require('@textlint/textlint-plugin-text').default },
];
const rules = [{ ruleId: 'terminology', rule: terminologyRule }];
const kernel = new TextlintKernel();

let problems = 0;
for (const file of filesToCheck(process.argv.slice(2))) {
  const { text, ext } = readable(file);
  const options = { ext, filePath: join(root, file), plugins, rules };
  const { messages } = await kernel.lintText(text, options);
  for (const { line, column, message } of messages) console.log(`${file}:${line}:${column} ${message}`);
  problems += messages.length;
}
console.log(problems === 0 ? 'No terminology problems found' : `${problems} terminology problems found`);
process.exitCode = problems === 0 ? 0 : 1;

/** @param {string[]} paths the whole project if empty */
function filesToCheck(paths) {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.(md|ts|tsx|mjs|css|sql|yml)$/.test(file))
    .filter((file) => !file.startsWith('rules/words/') && !file.includes('/migrations/'))
    .filter((file) => existsSync(join(root, file)));
}

/** @param {string} file */
function readable(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const type = extname(file);
  if (type === '.md') return { text, ext: '.md' };
  const isCode = ['.ts', '.tsx', '.mjs'].includes(type);
  return { text: isCode ? readableText(text, file) : readableComments(text), ext: '.txt' };
}
