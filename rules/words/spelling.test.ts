import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const american = {
  'apps/server/src/source.ts': {
    content: `
// The color and the behavior of a canceled payment, which the license of the catalog names.
/* Initialize the center of a gray label, and normalize its fiber. We analyze and serialize it. */
test('requires authorization before it fulfills an enrollment', () => {});
const backgroundColor = labeledColors.defaultBehavior;
export function recognizeTraveler(canceled: boolean) { return reorganizeCatalog(canceled); }
`,
    words:
      'color behavior canceled license catalog Initialize center gray normalize fiber analyze serialize authorization fulfills enrollment Color labeled Colors Behavior recognize Traveler canceled reorganize Catalog canceled',
  },
  'apps/desk/src/style.css': {
    content: `
/* The color of the center: gray. */
.favorite {
  --gray-label: red;
}
`,
    words: 'color center gray favorite gray',
  },
  'docs/page.md': {
    content: 'The `color` is organized by license, and the behavior is canceled.\n',
    words: 'color organized license behavior canceled',
  },
};

/** The words of protocols and of other people's APIs. */
const excepted = {
  'apps/server/src/excepted.ts': `
const headers = { authorization: token, 'content-type': 'text/css' };
const status = intent.status === 'canceled' ? 'cancelled' : text.normalize('NFC');
element.scrollIntoView({ behavior: 'smooth', block: 'center' });
probe.style.color = '#fff';
await pool.query('vacuum analyze');
`,
  'apps/desk/src/excepted.css': `
@media (prefers-color-scheme: dark) {
  .planted {
    color: currentColor;
    border: 1px solid color-mix(in oklab, var(--line) 40%, transparent);
    text-align: center;
    overscroll-behavior: contain;
  }
}
`,
  'docs/excepted.md': 'curl -H "Authorization: Bearer kt_feed_key"\n',
};

const directory = mkdtempSync(join(tmpdir(), 'keyturn-spelling-'));
let reported: string[];

// One run of cspell for all files, because most of its time is its start.
beforeAll(() => {
  const plant = (file: string, content: string) => {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), content);
  };
  plant('cspell.json', readFileSync(join(root, 'cspell.json'), 'utf8').replaceAll('"./', `"${root}`));
  for (const [file, { content }] of Object.entries(american)) plant(file, content);
  for (const [file, content] of Object.entries(excepted)) plant(file, content);
  const cspell = join(root, 'node_modules/cspell/bin.mjs');
  const options = ['lint', '--no-progress', '--no-summary', '--no-show-suggestions', '--no-exit-code'];
  const output = execFileSync('node', [cspell, ...options], { cwd: directory, encoding: 'utf8' });
  reported = output.split('\n');
});

afterAll(() => rmSync(directory, { recursive: true }));

const wordsIn = (file: string): string[] =>
  reported.filter((line) => line.startsWith(file)).map((line) => /word \((.*?)\)/.exec(line)?.[1] ?? line);

test.each(Object.entries(american))('cspell reports the American spellings in %s', (file, { words }) => {
  expect(wordsIn(file)).toEqual(words.split(' '));
});

test.each(Object.keys(excepted))('cspell accepts the words of protocols and APIs in %s', (file) => {
  expect(wordsIn(file)).toEqual([]);
});
