import { expect, test } from 'vitest';
import { blocksOfPages, hasText } from './read-pages.ts';
import { type PlacedPiece, type TextBlock, textOf } from './text-blocks.ts';

/** A piece of text on an A4 page; about half an em for each character wide. */
function piece(str: string, x: number, y: number, change: Partial<PlacedPiece> = {}): PlacedPiece {
  const height = change.height ?? 10;
  return { str, x, y, height, width: str.length * height * 0.5, hasEOL: true, mark: null, ...change };
}

const page = (...pieces: PlacedPiece[]) => ({ text: { pieces, pageHeight: 842 }, structure: null });

/** Blocks as text: "# " for a heading, "- " for an item, " | " between cells. */
const shown = (blocks: readonly TextBlock[] | undefined) =>
  (blocks ?? []).map((block) => {
    if (block.kind === 'row') return block.cells.map(textOf).join(' | ');
    if (block.kind === 'figure') return `[${block.description}]`;
    const prefix = { heading: '#', item: '-', paragraph: '', edge: '~' }[block.kind];
    return `${block.kind === 'heading' ? prefix.repeat(block.level) : prefix} ${textOf(block.runs)}`.trim();
  });

const line = 'The seller will sell and the buyer will buy the whole of the freehold property that';

test('joins the lines of a paragraph and starts a new one after a gap or a short line', () => {
  const [blocks] = blocksOfPages([
    page(
      piece(line, 64, 700),
      piece('is registered at HM Land Registry.', 64, 686),
      piece('A short line above ends its paragraph, so this is another one about the same thing', 64, 672),
      piece('which continues here.', 64, 658),
      piece('A gap starts another paragraph.', 64, 630),
    ),
  ]);
  expect(shown(blocks)).toEqual([
    `${line} is registered at HM Land Registry.`,
    'A short line above ends its paragraph, so this is another one about the same thing which continues here.',
    'A gap starts another paragraph.',
  ]);
});

test('makes headings of larger text, and items of numbers and bullets', () => {
  const [blocks] = blocksOfPages([
    page(
      piece('Contract for sale', 64, 740, { height: 22 }),
      piece('1. The sale', 64, 700, { height: 13.5 }),
      piece(line, 64, 680),
      piece('•', 64, 650, { hasEOL: false }),
      piece('the matters in the register, except the seller’s mortgage, which is repaid on the', 80, 650),
      piece('completion date', 80, 636),
      piece('•', 64, 620, { hasEOL: false }),
      piece('anything a careful buyer would notice', 80, 620),
      piece('(a) a lettered clause', 64, 600),
    ),
  ]);
  expect(shown(blocks)).toEqual([
    '# Contract for sale',
    '## 1. The sale',
    line,
    '- • the matters in the register, except the seller’s mortgage, which is repaid on the completion date',
    '- • anything a careful buyer would notice',
    '- (a) a lettered clause',
  ]);
});

test('converts text in columns to a table, with all lines of a cell in that cell', () => {
  const [blocks] = blocksOfPages([
    page(
      piece('Property', 64, 700, { hasEOL: false }),
      piece('14 Alder Row, Bath', 184, 700),
      piece('BA2 3HU, freehold', 184, 688),
      piece('Price', 64, 672, { hasEOL: false }),
      piece('£385,000.00', 184, 672),
    ),
  ]);
  expect(shown(blocks)).toEqual(['Property | 14 Alder Row, Bath BA2 3HU, freehold', 'Price | £385,000.00']);
});

test('shows a header that is drawn last first, and repeated headers and page numbers only once', () => {
  const pages = blocksOfPages(
    [1, 2].map((number) =>
      page(
        piece(`Text of page ${number}.`, 64, 500),
        piece('Alder & Finch', 64, 800),
        piece('Demonstration', 64, 40, { hasEOL: false }),
        piece(`Page ${number} of 2`, 464, 40),
      ),
    ),
  );
  expect(pages.map(shown)).toEqual([
    ['~ Alder & Finch', 'Text of page 1.', '~ Demonstration Page 1 of 2'],
    ['Text of page 2.'],
  ]);
});

test('follows the structure tree of a tagged PDF, and leaves out its headers and footers', () => {
  const pieces = [
    piece('Second in the file', 64, 700, { mark: 'p' }),
    piece('First in the tree', 64, 600, { mark: 'h' }),
    piece('Price', 64, 500, { mark: 'a' }),
    piece('£5', 64, 480, { mark: 'b' }),
    piece('Page 1', 64, 20, { mark: 'artifact' }),
  ];
  const content = (id: string) => ({ type: 'content', id });
  const structure = {
    role: 'Root',
    children: [
      {
        role: 'Document',
        children: [
          { role: 'H1', children: [content('h')] },
          { role: 'P', children: [{ role: 'Span', children: [content('p')] }] },
          {
            role: 'Table',
            children: [
              {
                role: 'TR',
                children: [
                  { role: 'TH', children: [content('a')] },
                  { role: 'TD', children: [content('b')] },
                ],
              },
            ],
          },
          { role: 'Figure', alt: 'A plan of the drain', children: [] },
        ],
      },
    ],
  };
  const [blocks] = blocksOfPages([{ text: { pieces, pageHeight: 842 }, structure }]);
  expect(shown(blocks)).toEqual([
    '# First in the tree',
    'Second in the file',
    'Price | £5',
    '[A plan of the drain]',
  ]);

  // A tree that leaves out text is ignored, because no word of a contract may be missing.
  const untagged = [...pieces, piece('Not in the tree', 64, 400)];
  const [all] = blocksOfPages([{ text: { pieces: untagged, pageHeight: 842 }, structure }]);
  expect(shown(all).join(' ')).toContain('Not in the tree');
});

test('keeps every word and its piece, so that matches can be marked', () => {
  const pieces = [
    piece('con-', 64, 700),
    piece('tract and', 64, 688),
    piece('', 64, 688),
    piece('deed', 64, 676),
  ];
  const [blocks] = blocksOfPages([page(...pieces)]);
  const runs = (blocks ?? []).flatMap((block) => ('runs' in block ? block.runs : []));
  expect(runs.map(({ piece: index, text }) => [index, text])).toEqual([
    [0, 'con-'],
    [1, 'tract and'],
    [3, 'deed'],
  ]);
});

test('recognises a scan by its missing text', () => {
  expect(hasText(blocksOfPages([page(), page(piece(' ', 64, 700))]))).toBe(false);
  expect(hasText(blocksOfPages([page(), page(piece('text', 64, 700))]))).toBe(true);
});
