import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

describe('links and images in the documentation', () => {
  test.each(documents)('%s links only to files and headings that exist', (document) => {
    const broken = targetsIn(document).filter(({ file, heading }) => {
      if (!existsSync(join(root, file))) return true;
      return heading !== '' && !headingsOf(file).has(heading);
    });
    expect(broken).toEqual([]);
  });

  test('finds a missing file and a missing heading', () => {
    expect(existsSync(join(root, 'docs/no-such-page.md'))).toBe(false);
    expect(headingsOf('README.md').has('no-such-heading')).toBe(false);
    expect(targetsIn('README.md').length).toBeGreaterThan(5);
  });
});

/** Returns the local files, each with its heading if there is one, to which a Markdown document links. */
function targetsIn(document: string): { file: string; heading: string }[] {
  const text = withoutCode(readFileSync(join(root, document), 'utf8'));
  const links = text.matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"/g);
  return [...links]
    .map(([, inMarkdown, inHtml]) => inMarkdown ?? inHtml ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading = ''] = target.split('#');
      return { file: path === '' ? document : join(dirname(document), path), heading };
    });
}

/** The anchors of a Markdown document, by GitHub's rule. */
function headingsOf(file: string): Set<string> {
  if (!file.endsWith('.md')) return new Set();
  const text = withoutFences(readFileSync(join(root, file), 'utf8'));
  const titles = [...text.matchAll(/^#+\s+(.+?)\s*$/gm)].map(([, title]) => title ?? '');
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );
}

const withoutFences = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '');
const withoutCode = (text: string) => withoutFences(text).replaceAll(/`[^`\n]*`/g, '');
