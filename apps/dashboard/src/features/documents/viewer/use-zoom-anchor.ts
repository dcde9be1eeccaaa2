import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import type { ScreenPoint } from './use-gestures.ts';

/** A point of a sheet, as fractions of its width and height, and its fixed position on the screen. */
interface Anchor extends ScreenPoint {
  sheet: Element;
  x: number;
  y: number;
}

export interface ZoomTarget {
  /** The point that keeps its place; by default the middle of the visible area. */
  point?: ScreenPoint;
  /** Where lines of text start, as a part of the page’s width. It moves to the left edge, so that no line starts outside. */
  lineStart?: number;
}

/**
 * Keeps a point of a zoomed document in place. The returned function is called before the zoom changes.
 * @param scale changes whenever the document’s size does
 */
export function useZoomAnchor(
  ref: RefObject<HTMLElement | null>,
  scale: number,
): (target?: ZoomTarget) => void {
  const anchor = useRef<Anchor | null>(null);
  const previousScale = useRef(scale);
  useLayoutEffect(() => {
    const element = ref.current;
    const ratio = scale / previousScale.current;
    previousScale.current = scale;
    if (!element || ratio === 1) return;
    const held = anchor.current;
    anchor.current = null;
    if (!held) {
      // The width of the screen has changed.
      element.scrollTop *= ratio;
      return;
    }
    const { left, top, width, height } = held.sheet.getBoundingClientRect();
    element.scrollLeft += left + held.x * width - held.clientX;
    element.scrollTop += top + held.y * height - held.clientY;
  }, [ref, scale]);
  return useCallback(
    (target = {}) => {
      if (ref.current) anchor.current = anchorAt(ref.current, target);
    },
    [ref],
  );
}

function anchorAt(scroller: HTMLElement, { point, lineStart }: ZoomTarget): Anchor | null {
  const box = scroller.getBoundingClientRect();
  const middle = scroller.scrollTop === 0 ? box.top : box.top + box.height / 2;
  const { clientX, clientY } = point ?? { clientX: box.left + box.width / 2, clientY: middle };
  const sheets = [...scroller.querySelectorAll('[data-page]')];
  const sheet = sheets.findLast((candidate) => candidate.getBoundingClientRect().top <= clientY) ?? sheets[0];
  if (!sheet) return null;
  const { left, top, width, height } = sheet.getBoundingClientRect();
  const y = (clientY - top) / height;
  if (lineStart !== undefined) return { sheet, x: lineStart, y, clientX: box.left + lineMargin, clientY };
  return { sheet, x: (clientX - left) / width, y, clientX, clientY };
}

/** CSS pixels that stay free at both sides of lines that fill the width. */
export const lineMargin = 12;
