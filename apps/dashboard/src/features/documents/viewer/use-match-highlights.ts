import { type RefObject, useEffect, useState } from 'react';
import type { TextMatch } from '../find/find-in-text.ts';
import type { PageMatches } from '../find/use-find.ts';

/** A box over matched text, in percentages of the page so that it stays in place at every zoom. */
export interface Highlight {
  key: string;
  isCurrent: boolean;
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Returns the highlights of a page’s matches, and scrolls the current match into view. */
export function useMatchHighlights(options: {
  sheet: RefObject<HTMLElement | null>;
  /** The elements of the text layer; undefined until it is rendered. */
  textPieces: HTMLElement[] | undefined;
  matches: PageMatches;
}): Highlight[] {
  const { sheet, textPieces, matches } = options;
  const [highlights, setHighlights] = useState<Highlight[]>([]);
  const { found, current } = useStableMatches(matches);
  useEffect(() => {
    if (!sheet.current || !textPieces || found.length === 0) {
      setHighlights((previous) => (previous.length === 0 ? previous : []));
      return;
    }
    const page = sheet.current.getBoundingClientRect();
    setHighlights(
      found.flatMap((match, index) =>
        rectsOf(match, textPieces).map((rect, line) => ({
          key: `${index}.${line}`,
          isCurrent: index === current,
          left: percentage(rect.left - page.left, page.width),
          top: percentage(rect.top - page.top, page.height),
          width: percentage(rect.width, page.width),
          height: percentage(rect.height, page.height),
        })),
      ),
    );
  }, [sheet, textPieces, found, current]);
  // The page itself may have to scroll as well as the area around the document.
  useEffect(() => {
    if (!highlights.some(({ isCurrent }) => isCurrent)) return;
    sheet.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [sheet, highlights]);
  return highlights;
}

/** Returns the same object while the matches are equal: every render creates a new one. */
function useStableMatches(matches: PageMatches): PageMatches {
  const [stable, setStable] = useState(matches);
  if (stable === matches || JSON.stringify(stable) === JSON.stringify(matches)) return stable;
  setStable(matches);
  return matches;
}

const percentage = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;

function rectsOf({ from, to }: TextMatch, textPieces: HTMLElement[]): DOMRect[] {
  const rects: DOMRect[] = [];
  for (let index = from.piece; index <= to.piece; index += 1) {
    const node = textPieces[index]?.firstChild;
    if (!(node instanceof Text)) continue;
    const range = document.createRange();
    range.setStart(node, index === from.piece ? Math.min(from.offset, node.length) : 0);
    range.setEnd(node, index === to.piece ? Math.min(to.offset, node.length) : node.length);
    rects.push(...[...range.getClientRects()].filter(({ width }) => width > 0));
  }
  return rects;
}
