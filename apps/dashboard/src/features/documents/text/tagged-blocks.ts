import { type PlacedText, type TextBlock, toRuns } from './text-blocks.ts';

/** A node of a PDF’s structure tree, as pdf.js returns it. */
export interface StructureNode {
  role: string;
  alt?: string;
  children: (StructureNode | { type: string; id: string })[];
}

/**
 * Converts a page’s text to blocks by the structure tree that its author put into the PDF.
 * @returns null when the tree leaves out a part of the text, which must not be lost
 */
export function blocksFromTags({ pieces }: PlacedText, tree: StructureNode | null): TextBlock[] | null {
  if (tree === null) return null;
  const indexesOf = new Map<string, number[]>();
  for (const [index, { mark }] of pieces.entries()) {
    if (mark === null) continue;
    const indexes = indexesOf.get(mark) ?? [];
    indexes.push(index);
    indexesOf.set(mark, indexes);
  }
  const content = pieces.filter(({ str, mark }) => str.trim() !== '' && mark !== 'artifact').length;
  const ids = new Set(contentIds(tree));
  const tagged = pieces.filter(({ str, mark }) => str.trim() !== '' && mark !== null && ids.has(mark)).length;
  if (content === 0 || tagged < content) return null;
  const blocks: TextBlock[] = [];
  const runsOf = (node: StructureNode) =>
    toRuns(
      pieces,
      contentIds(node).flatMap((id) => indexesOf.get(id) ?? []),
    );
  const visit = (node: StructureNode) => {
    const block = blockOf(node, runsOf);
    if (block) {
      if (hasContent(block)) blocks.push(block);
      return;
    }
    for (const child of node.children) {
      if ('role' in child) visit(child);
      else blocks.push(...looseParagraph(child.id));
    }
  };
  const looseParagraph = (id: string): TextBlock[] => {
    const runs = toRuns(pieces, indexesOf.get(id) ?? []);
    return runs.length > 0 ? [{ kind: 'paragraph', runs }] : [];
  };
  visit(tree);
  return blocks;
}

/** @returns undefined for a node that only contains others */
function blockOf(
  node: StructureNode,
  runsOf: (node: StructureNode) => ReturnType<typeof toRuns>,
): TextBlock | undefined {
  const { role, alt } = node;
  if (/^(?:H[1-6]?|Title)$/.test(role)) {
    const level = Math.min(Number(role[1] ?? 1) || 1, 3) as 1 | 2 | 3;
    return { kind: 'heading', level, runs: runsOf(node) };
  }
  if (role === 'LI') return { kind: 'item', runs: runsOf(node) };
  if (role === 'TR') {
    const cells = node.children.flatMap((child) => ('role' in child ? [runsOf(child)] : []));
    return { kind: 'row', cells };
  }
  if (role === 'Figure' || role === 'Formula') {
    const runs = runsOf(node);
    return runs.length > 0 ? { kind: 'paragraph', runs } : { kind: 'figure', description: alt ?? '' };
  }
  // A paragraph contains further blocks only by mistake; its inline elements are part of it.
  return role === 'P' || inlineRoles.has(role) ? { kind: 'paragraph', runs: runsOf(node) } : undefined;
}

const inlineRoles = new Set([
  'Span',
  'Link',
  'Quote',
  'Em',
  'Strong',
  'Lbl',
  'LBody',
  'Caption',
  'Note',
  'Code',
]);

function hasContent(block: TextBlock): boolean {
  if (block.kind === 'figure') return block.description !== '';
  if (block.kind === 'row') return block.cells.some((cell) => cell.length > 0);
  return block.runs.length > 0;
}

const contentIds = (node: StructureNode): string[] =>
  node.children.flatMap((child) => ('role' in child ? contentIds(child) : [child.id]));
