// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './set-up.mjs';

/*
 * Checks that what the documentation names in backticks exists: files and folders, scripts of package.json, commands of
 * keyturn, settings, API calls and identifiers. Names in code blocks and in CHANGELOG.md, which is history, are not checked.
 */

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
const paths = new Set(files.flatMap((file) => endsOf(file)));
const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
const source = files
  .filter(
    (file) =>
      /\.(ts|tsx|mjs|sql|json|css|ya?ml|sh|conf|html)$|Dockerfile|\.ci\/run/.test(file) &&
      file !== 'package-lock.json',
  )
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const words = new Set(source.match(/[\w$]+/g));
const callsInSource = source.replaceAll(/\{\w+\}|:[a-z_]+\b/g, '{}');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Names of other programs and examples, which no file of the project contains. */
const foreign = new Set([
  ...['pg_basebackup', 'pg_dump', 'pg_trgm', 'recovery_target_time', 'NODE_EXTRA_CA_CERTS', 'REDIS_URL'],
  ...['client_max_body_size', 'ignore_startup_parameters', 'max_client_conn'],
  ...[
    'A/12',
    'x.ts',
    'x.test.ts',
    'ag-grid.css',
    'systems/',
    'bufferedAmount',
    '0002_deposits.sql',
    'changes/staff/undo-a-withdrawal.md',
    '.keyturn/histories/seed-N.jsonl',
  ],
]);

/** @param {string} file @returns {string[]} every end of its path and of the paths of its folders, such as `case-file/tasks/` */
function endsOf(file) {
  const ends = [];
  for (let path = file; path !== '.'; path = dirname(path)) {
    const segments = path.split('/');
    for (let from = 0; from < segments.length; from += 1) ends.push(segments.slice(from).join('/'));
  }
  return ends;
}

const codeOf = (/** @type {string} */ text) => (text.match(/^```[\s\S]*?^```/gm) ?? []).join('\n');

/** @param {string} name in backticks @returns {boolean} */
function exists(name) {
  // rules/documentation/configuration.test.ts checks the names of settings, which the code makes from parts.
  if (foreign.has(name) || /^(KEYTURN_|_)[A-Z_]*$/.test(name)) return true;
  const script = /^npm (?:run (?:--silent |-s )?)?([\w:-]+)/.exec(name);
  if (script?.[1]) return script[1] in scripts || /^npm (ci|install|pack|version|sbom|test)/.test(name);
  if (/^(npx )?keyturn [a-z]/.test(name)) {
    const [command = ''] = name.replace(/^npx /, '').split(' ').slice(1);
    return new RegExp(`command\\('${command}\\b|name: '${command}\\b|'${command}'`).test(source);
  }
  if (/^(GET|POST|PUT|DELETE) \//.test(name)) {
    const path = name
      .replace(/^\w+ (\/api)?/, '')
      .replace(/\?.*/, '')
      .replaceAll(/\{\w+\}|:\w+|\b[A-Z]+$|\b[A-Z]+(?=\/)/g, '{}');
    return callsInSource.includes(path);
  }
  if (
    /^[\w.@-]+(\/[\w.@-]+)+\/?$/.test(name) ||
    /^[\w.-]+\.(ts|tsx|mjs|sql|json|css|md|yml|yaml|sh)$/.test(name) ||
    /^[\w-]+\/$/.test(name)
  ) {
    const path = name
      .replace(/^\.?\//, '')
      .replace(/\/$/, '')
      .replace(/^(server|dashboard|desk)\//, 'apps/$1/src/');
    if (paths.has(path) || paths.has(name.replace(/\/$/, ''))) return true;
    // Media types, time zones and folders that the server makes.
    return (
      !/\.(ts|tsx|mjs|sql|css|md)$/.test(name) && (source.includes(name) || source.includes(`'${path}'`))
    );
  }
  if (/^[A-Za-z_$][\w$]*(\(\))?$/.test(name) && /[a-z][A-Z]|_/.test(name))
    return words.has(name.replace('()', ''));
  return true;
}

let missing = 0;
for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8');
  // A guide names what its steps create; rules/guides applies them.
  const isCreated = (/** @type {string} */ name) =>
    /^(docs\/guides|changes)\//.test(document) &&
    (text.includes(`Create \`${name}\``) ||
      text.includes(`Create\n\`${name}\``) ||
      codeOf(text).includes(name));
  const lines = text.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, '')).split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [, name = ''] of line.matchAll(/`([^`]+)`/g)) {
      if (exists(name) || isCreated(name)) continue;
      console.error(`${document}:${index + 1}: \`${name}\` does not exist`);
      missing += 1;
    }
  }
}
if (missing > 0) process.exitCode = 1;
