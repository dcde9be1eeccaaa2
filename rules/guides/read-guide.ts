/** What a code block of a guide asks for. */
export type Step =
  | { does: 'create'; file: string; content: string }
  | { does: 'change'; file: string; before: string; after: string }
  | { does: 'run'; commands: string };

/**
 * Reads the code blocks of a guide. A `sh` block has commands. A `diff` block changes a file: its lines without + are in the
 * file, once; those with - are removed. Any other block is a new file. The paragraph above names the file; a block that
 * directly follows another is about the same one.
 * @throws if a block is about no file
 */
export function readGuide(markdown: string): Step[] {
  const [first = '', ...parts] = markdown.split(/^```/m);
  let [text, file] = [first, ''];
  const steps: Step[] = [];
  while (parts.length > 1) {
    const [language, ...lines] = (parts.shift() ?? '').split('\n');
    const code = lines.join('\n');
    const paragraph = text.trim().split('\n\n').at(-1) ?? '';
    text = parts.shift() ?? '';
    if (language === 'sh') {
      steps.push({ does: 'run', commands: code });
      continue;
    }
    file =
      [...paragraph.matchAll(/`([\w-]+\/[\w./-]+\.\w+)`/g)].at(-1)?.[1] ?? (paragraph === '' ? file : '');
    if (file === '') throw new Error(`The paragraph above this block must name its file:\n${code}`);
    steps.push(
      language === 'diff'
        ? { does: 'change', file, before: linesWithout('+', code), after: linesWithout('-', code) }
        : { does: 'create', file, content: code },
    );
  }
  return steps;
}

const linesWithout = (mark: string, diff: string): string =>
  diff
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.startsWith(mark))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
