import { type RefObject, useEffect, useState } from 'react';
import type { OpenPdf } from './open-pdf.ts';
import { findTextColumn, readingZoom, type TextColumn } from './text-column.ts';
import { useContentWidth } from './use-content-width.ts';
import type { GestureHandlers } from './use-gestures.ts';
import { lineMargin, useZoomAnchor } from './use-zoom-anchor.ts';
import { fitZoom, isZoomedIn, limitZoom, stepZoom, type Zoom } from './zoom.ts';

/** The zoom of each page: at first it fits the width; the toolbar, keys, a pinch or a double tap change it. */
export function useZoom(scroller: RefObject<HTMLDivElement | null>, pdf: OpenPdf, page: number) {
  const availableWidth = useContentWidth(scroller);
  const [setting, setSetting] = useState<Zoom>('fit');
  const column = useTextColumn(pdf, page);
  // Each page is fitted on its own, so that one landscape plan does not shrink the other pages.
  const fitOf = (number: number) => fitZoom(pdf.pages[number - 1], availableWidth);
  const zoomOf = (number: number) => (setting === 'fit' ? fitOf(number) : setting);
  const zoom = zoomOf(page);
  const hold = useZoomAnchor(scroller, zoomOf(1));
  const lines = column ? { lineStart: column.start } : {};
  const change = (next: Zoom, target: Parameters<typeof hold>[0]) => {
    hold(target);
    setSetting(next);
  };
  const gestures: GestureHandlers = {
    onPinch: (factor, point) => {
      hold({ point });
      setSetting((previous) => limitZoom((previous === 'fit' ? zoom : previous) * factor));
    },
    onDoubleTap: (point) => {
      const fit = fitOf(page);
      if (isZoomedIn(zoom, fit)) return change('fit', { point });
      const pageWidth = pdf.pages[page - 1]?.width ?? 1;
      const next = readingZoom(column, { pageWidth, availableWidth: availableWidth - 2 * lineMargin, fit });
      change(limitZoom(next), { point, ...lines });
    },
  };
  return {
    zoom,
    zoomOf,
    isFit: setting === 'fit',
    isMeasured: availableWidth > 0,
    step: (direction: 1 | -1) => change(stepZoom(zoom, direction), lines),
    fit: () => change('fit', {}),
    gestures,
  };
}

/** Finds where the lines of a page start and end; null until they are known. */
function useTextColumn(pdf: OpenPdf, page: number): TextColumn | null {
  const [found, setFound] = useState<{ page: number; column: TextColumn | null }>();
  useEffect(() => {
    let isCancelled = false;
    const width = (pdf.pages[page - 1]?.width ?? 0) * pointsPerPixel;
    pdf.readText(page).then(
      (text) => !isCancelled && setFound({ page, column: findTextColumn(text, width) }),
      () => {},
    );
    return () => {
      isCancelled = true;
    };
  }, [pdf, page]);
  return found?.page === page ? found.column : null;
}

const pointsPerPixel = 72 / 96;
