import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Source files with text for clients: screens, mails, PDFs, messages of the API, and the demonstration firm. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) =>
    /^(apps\/[^/]+\/(src|public|build)|packages\/(contract|format|pdf)\/src|demo)\//.test(file),
  )
  .filter((file) => /\.(tsx?|mjs|js|json|html)$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));

/** A straight apostrophe between letters, or after the s of a plural. */
const straight = /\p{L}'\p{L}|s' /u;

/** The same in source code, where it may be escaped. */
const straightInSource = /\p{L}\\?'\p{L}|s\\?' |\\(u00|x|u\{0*)27/u;

function textsOf(file: string): string[] {
  const text = readFileSync(`${root}${file}`, 'utf8');
  if (!/\.(tsx?|mjs|js)$/.test(file)) return text.split('\n');
  // Most files have none, and parsing takes far longer than looking.
  if (!straightInSource.test(text)) return [];
  const texts: string[] = [];
  const visit = (node: ts.Node) => {
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && /\p{L}\s+\p{L}/u.test(node.text)) texts.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return texts;
}

test('texts for clients have typographic apostrophes only', () => {
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    textsOf(file)
      .filter((text) => straight.test(text))
      .map((text) => `${file}: ${text.slice(0, 100)}`),
  );
  expect(found).toEqual([]);
});
