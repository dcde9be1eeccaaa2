// @ts-check
import ts from 'typescript';

/**
 * Keeps what people read in a source file (comments, JSX text, and strings and templates of two words or more) and
 * replaces everything else with spaces, so that line and column numbers stay those of the file. Lines end with their
 * last kept character, because some patterns take time in proportion to the square of a run of spaces.
 *
 * @param {string} text
 * @param {string} fileName decides between TypeScript and TSX
 * @returns {string}
 */
export function readableText(text, fileName) {
  const kept = text.replaceAll(/[^\n]/g, ' ').split('');
  /** @param {number} start @param {number} end */
  const keep = (start, end) => {
    for (let at = start; at < end; at++) kept[at] = text[at] ?? ' ';
  };
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  /** @param {ts.Node} node */
  const visit = (node) => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) keep(pos, end);
    for (const { pos, end } of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) keep(pos, end);
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && /\p{L}\s+\p{L}/u.test(node.text)) keep(node.getStart(), node.getEnd());
    ts.forEachChild(node, visit);
  };
  visit(source);
  return trimLines(kept);
}

/** Keeps the comments of SQL, CSS and YAML files, as {@link readableText} does.
 *
 * @param {string} text
 * @returns {string}
 */
export function readableComments(text) {
  const kept = text.replaceAll(/[^\n]/g, ' ').split('');
  for (const comment of text.matchAll(/\/\*[\s\S]*?\*\/|--[^\n]*|(?<=^|\s)#\s[^\n]*/g)) {
    for (let at = comment.index; at < comment.index + comment[0].length; at++) kept[at] = text[at] ?? ' ';
  }
  return trimLines(kept);
}

/** @param {string[]} characters */
const trimLines = (characters) =>
  characters
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
