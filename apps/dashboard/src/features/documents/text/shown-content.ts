import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';

export type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
/** The layers of a document, and which of them are visible. */
export type Layers = Awaited<ReturnType<PDFDocumentProxy['getOptionalContentConfig']>>;
type TextItem = Extract<TextContent['items'][number], { str: string }>;

/** The facts of a form field or comment that pdf.js returns. */
interface Annotation {
  subtype: string;
  annotationFlags: number;
  rect: [left: number, bottom: number, right: number, top: number];
  fieldType?: 'Tx' | 'Btn' | 'Ch' | 'Sig' | null;
  fieldValue?: string | string[] | null;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
  options?: { exportValue: string; displayValue: string }[];
  textContent?: string[];
  contentsObj?: { str: string };
  defaultAppearanceData?: { fontSize?: number };
}

/** pdf.js’ numbers of operators. */
type Operators = Record<
  'showText' | 'beginMarkedContent' | 'beginMarkedContentProps' | 'endMarkedContent',
  number
>;

/**
 * Reads the text of a page as it is shown: with form values and comments at their places in the reading order, and without the
 * text of hidden layers.
 * @param operators `OPS` of pdf.js
 */
export async function readShownContent(
  page: PDFPageProxy,
  layers: Layers,
  operators: Operators,
): Promise<TextContent> {
  const content = await page.getTextContent({ includeMarkedContent: true });
  const hasHiddenLayer = [...layers].some(([, layer]) => !(layer as { visible: boolean }).visible);
  const visible = hasHiddenLayer ? await withoutHidden(page, content, layers, operators) : content;
  const annotations: Annotation[] = await page.getAnnotations({ intent: 'display' });
  return addAnnotations(visible, annotations);
}

/** Removes the text of hidden layers. pdf.js tells only the drawing operations which layer they belong to. */
async function withoutHidden(
  page: PDFPageProxy,
  content: TextContent,
  layers: Layers,
  operators: Operators,
): Promise<TextContent> {
  const drawn = await readDrawnText(page, layers, operators);
  let next = 0;
  const items = content.items.filter((item) => {
    if (!('str' in item)) return true;
    const characters = charactersOf(item.str);
    const found = drawn.slice(next, next + characters.length);
    // Text from right to left has its characters in another order.
    const isSame =
      [...characters].sort().join('') ===
      found
        .map(({ character }) => character)
        .sort()
        .join('');
    next += characters.length;
    return !isSame || found.length === 0 || found.some(({ isVisible }) => isVisible);
  });
  return { ...content, items };
}

/** Reads the characters that a page draws, in the order of its content. */
async function readDrawnText(page: PDFPageProxy, layers: Layers, operators: Operators) {
  const { fnArray, argsArray } = await page.getOperatorList({ intent: 'display', annotationMode: 0 });
  const drawn: { character: string; isVisible: boolean }[] = [];
  const visibilities: boolean[] = [];
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    if (operator === operators.beginMarkedContent) visibilities.push(true);
    if (operator === operators.beginMarkedContentProps)
      visibilities.push(args[0] !== 'OC' || args[1] === null || layers.isVisible(args[1]));
    if (operator === operators.endMarkedContent) visibilities.pop();
    if (operator !== operators.showText) continue;
    const isVisible = visibilities.every(Boolean);
    for (const glyph of args[0] as (number | { unicode?: string } | null)[]) {
      const unicode = typeof glyph === 'object' ? (glyph?.unicode ?? '') : '';
      for (const character of charactersOf(unicode)) drawn.push({ character, isVisible });
    }
  }
  return drawn;
}

/** Characters without spaces and invisible ones, which pdf.js adds and removes. */
const charactersOf = (text: string) => [...text.normalize('NFKC').replaceAll(/[\s\p{C}\p{M}]/gu, '')];

/** Adds the words of each field and comment after the text that is before it on the page. */
function addAnnotations(content: TextContent, annotations: readonly Annotation[]): TextContent {
  const shown = annotations
    .map((annotation) => ({ annotation, words: wordsOf(annotation) }))
    .filter(({ words }) => words !== '')
    .sort((one, other) => compareOnPage(one.annotation, other.annotation));
  if (shown.length === 0) return content;
  /** By the index of the text that they follow; -1 for the start of the page. */
  const added = new Map<number, TextItem[]>();
  for (const { annotation, words } of shown) {
    const at = findLastBefore(content.items, annotation.rect);
    const lines = added.get(at) ?? [];
    lines.push(...linesOf(annotation, words));
    added.set(at, lines);
  }
  const items = content.items.flatMap((item, index) => [item, ...(added.get(index) ?? [])]);
  const styles = {
    ...content.styles,
    [fieldFont]: { fontFamily: 'sans-serif', ascent: 0.8, descent: -0.2, vertical: false },
  };
  return { ...content, items: [...(added.get(-1) ?? []), ...items], styles };
}

/** Orders annotations from the top of the page to its bottom, and those of a line from left to right. */
const compareOnPage = ({ rect: one }: Annotation, { rect: other }: Annotation): number =>
  lineOf(other) - lineOf(one) || one[0] - other[0];

/** Fields of one line are rarely at exactly the same height. */
const lineOf = ([, , , top]: Annotation['rect']): number => Math.round(top / 6);

function linesOf({ rect, defaultAppearanceData }: Annotation, words: string): TextItem[] {
  const [left, bottom, right, top] = rect;
  const lines = words.split(/\r\n?|\n/);
  const size = defaultAppearanceData?.fontSize || Math.min(12, (top - bottom) / lines.length / 1.2);
  return lines.map((str, line) => ({
    str,
    dir: 'ltr',
    width: Math.min(right - left, str.length * size * 0.5),
    height: size,
    transform: [size, 0, 0, size, left, top - size * (1 + line * 1.2)],
    fontName: fieldFont,
    hasEOL: true,
  }));
}

const fieldFont = 'field';

/** Finds the last text before a field. A header or footer is no place for it: readers leave these out. */
function findLastBefore(items: TextContent['items'], rect: Annotation['rect']): number {
  const tags: unknown[] = [];
  let last = -1;
  for (const [index, item] of items.entries()) {
    if ('str' in item) {
      if (item.str.trim() !== '' && !tags.includes('Artifact') && isBefore(item as TextItem, rect))
        last = index;
    } else if (item.type === 'endMarkedContent') tags.pop();
    else tags.push((item as { tag?: unknown }).tag);
  }
  return last;
}

/** Whether text ends above a field, or is on the same line to its left. */
function isBefore({ transform }: TextItem, [left, bottom, , top]: Annotation['rect']): boolean {
  const [, , , , x = 0, y = 0] = transform as number[];
  return y >= top || (y >= bottom && x < left);
}

/** Returns what a reader of the page sees of an annotation; empty if nothing. */
function wordsOf(annotation: Annotation): string {
  const { subtype, annotationFlags, textContent, contentsObj } = annotation;
  if ((annotationFlags & hiddenFlags) !== 0 || subtype === 'Link' || subtype === 'Popup') return '';
  if (subtype === 'Widget') return fieldWords(annotation);
  const words = (contentsObj?.str || (textContent ?? []).join('\n')).trim();
  return words === '' || subtype === 'FreeText' || subtype === 'Stamp' ? words : `Comment: ${words}`;
}

function fieldWords(field: Annotation): string {
  const { fieldType, fieldValue, checkBox, radioButton, exportValue, buttonValue, options, password } = field;
  if (fieldType === 'Btn') {
    if (checkBox) return fieldValue === exportValue ? 'Ticked' : 'Not ticked';
    return radioButton ? (fieldValue !== null && fieldValue === buttonValue ? 'Chosen' : 'Not chosen') : '';
  }
  if (password === true || (fieldType !== 'Tx' && fieldType !== 'Ch')) return '';
  const displayed = (value: string) =>
    options?.find((option) => option.exportValue === value)?.displayValue ?? value;
  return [fieldValue ?? ''].flat().map(displayed).join(', ').trim();
}

/** Annotations that are hidden, or only printed. */
const hiddenFlags = 2 + 32;
