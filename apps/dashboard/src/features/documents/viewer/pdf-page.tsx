import { classNames } from '@keyturn/ui/base/class-names.ts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { PageMatches } from '../find/use-find.ts';
import type { OpenPdf } from './open-pdf.ts';
import { useMatchHighlights } from './use-match-highlights.ts';
import { usePageImage } from './use-page-image.ts';
import styles from './viewer.module.css';

export interface PdfPageProps {
  pdf: OpenPdf;
  page: number;
  /** Zoom factor; 1 is 100%. */
  zoom: number;
  scroller: RefObject<HTMLElement | null>;
  matches: PageMatches;
  onRendered: () => void;
}

/**
 * Shows one page: its image while it is near the visible area, and its text layer above it. A short document has the
 * text layers of all pages at once, for the browser’s own find and for screen readers.
 */
export function PdfPage({ pdf, page, zoom, scroller, matches, onRendered }: PdfPageProps) {
  const sheet = useRef<HTMLLIElement>(null);
  const size = pdf.pages[page - 1] ?? { width: 1, height: 1 };
  const isNear = useIsNear(sheet, scroller);
  const image = useRef<HTMLDivElement>(null);
  const hasFailed = usePageImage({ pdf, page, container: image, isNear, zoom, onRendered });
  const text = useRef<HTMLDivElement>(null);
  const textPieces = useTextLayer({
    pdf,
    page,
    container: text,
    isWanted: isNear || pdf.pages.length <= maxPagesWithAllText,
  });
  const highlights = useMatchHighlights({ sheet, textPieces, matches });
  return (
    <li
      className={styles.page}
      data-page
      ref={sheet}
      aria-label={`Page ${page} of ${pdf.pages.length}`}
      style={
        {
          width: size.width * zoom,
          height: size.height * zoom,
          '--total-scale-factor': zoom * pixelsPerPoint,
        } as React.CSSProperties
      }
    >
      <div className={styles.pageImage} ref={image} />
      {hasFailed && (
        <p className={styles.failedPage}>We can’t show this page. Download the document to read it.</p>
      )}
      {highlights.map(({ key, isCurrent, ...position }) => (
        <span
          key={key}
          className={classNames(styles.highlight, isCurrent && styles.current)}
          data-current={isCurrent || undefined}
          style={position}
        />
      ))}
      <div className={styles.text} ref={text} />
    </li>
  );
}

const maxPagesWithAllText = 30;
const pixelsPerPoint = 96 / 72;

/** Whether the page is within one screen height of the visible area. */
function useIsNear(sheet: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!sheet.current) return;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting ?? false),
      { root: scroller.current, rootMargin: '100% 0px' },
    );
    observer.observe(sheet.current);
    return () => observer.disconnect();
  }, [sheet, scroller]);
  return isNear;
}

/** Renders the text layer of a page, and returns its elements once they are in place. */
function useTextLayer(options: {
  pdf: OpenPdf;
  page: number;
  container: RefObject<HTMLElement | null>;
  isWanted: boolean;
}): HTMLElement[] | undefined {
  const { pdf, page, container, isWanted } = options;
  const [textPieces, setTextPieces] = useState<HTMLElement[]>();
  const renderedPdf = useRef<OpenPdf>(undefined);
  useEffect(() => {
    const element = container.current;
    if (!element || !isWanted || renderedPdf.current === pdf) return;
    renderedPdf.current = pdf;
    element.replaceChildren();
    // A page whose text cannot be read still has its image.
    pdf.renderText(page, element).then(setTextPieces, () => {});
  }, [pdf, page, container, isWanted]);
  return textPieces;
}
