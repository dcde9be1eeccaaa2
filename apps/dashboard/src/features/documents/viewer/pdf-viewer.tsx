import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { FindBar } from '../find/find-bar.tsx';
import { type DocumentFind, useFind } from '../find/use-find.ts';
import { TextView } from '../text/text-view.tsx';
import { useTextSize } from '../text/use-text-size.ts';
import { DocumentScroller } from './document-scroller.tsx';
import type { OpenPdf } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import { useGestures } from './use-gestures.ts';
import { usePagePosition } from './use-page-position.ts';
import { usePrinting } from './use-printing.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useZoom } from './use-zoom.ts';
import styles from './viewer.module.css';
import { ViewerToolbar } from './viewer-toolbar.tsx';

export interface PdfViewerProps {
  pdf: OpenPdf;
  title: string;
  /** Called once the first page is visible. */
  onShown: () => void;
  onDownload: () => void;
}

/** Shows a PDF as pages or as text in a scrolling area, with controls for moving, zooming, finding text and printing. */
export function PdfViewer({ pdf, title, onShown, onDownload }: PdfViewerProps) {
  const viewer = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const position = usePagePosition(scroller);
  const { page, goToPage } = position;
  const [isText, setIsText] = useState(false);
  const zoom = useZoom(scroller, pdf, page);
  const textSize = useTextSize();
  const size = isText ? textSize : zoom;
  useGestures(scroller, size.gestures);
  const [isFinding, setIsFinding] = useState(false);
  const find = useFind(pdf, isFinding, () => page);
  const { printProgress, print } = usePrinting(pdf);
  useGoToMatch(isText ? undefined : find.currentMatch, page, goToPage);
  useShortcuts(viewer, { onFind: () => setIsFinding(true), onZoom: size.step, onFit: size.fit });
  const closeFind = () => {
    setIsFinding(false);
    scroller.current?.focus({ preventScroll: true });
  };
  const shown = { pdf, scroller, find };

  return (
    <div className={styles.viewer} ref={viewer} data-never-recorded>
      <ViewerToolbar
        pages={{ current: page, count: pdf.pages.length, onGoToPage: goToPage }}
        text={{ isShown: isText, onToggle: () => setIsText(!isText) }}
        size={{ factor: size.zoom, isFit: size.isFit, isText, onStep: size.step, onFit: size.fit }}
        onFind={() => setIsFinding(!isFinding)}
        isFinding={isFinding}
        onDownload={onDownload}
        onPrint={print}
        printProgress={printProgress}
      >
        {isFinding && <FindBar find={find} onClose={closeFind} />}
      </ViewerToolbar>
      <DocumentScroller ref={scroller} title={title} onScroll={position.onScroll}>
        {isText ? (
          <TextView {...shown} size={textSize.zoom} onShown={() => goToPage(page)} />
        ) : (
          <Pages {...shown} zoom={zoom} onShown={onShown} onReturn={() => goToPage(page)} />
        )}
      </DocumentScroller>
    </div>
  );
}

function Pages({
  pdf,
  scroller,
  find,
  zoom,
  onShown,
  onReturn,
}: {
  pdf: OpenPdf;
  scroller: React.RefObject<HTMLDivElement | null>;
  find: DocumentFind;
  zoom: ReturnType<typeof useZoom>;
  onShown: () => void;
  /** Called once the pages have their place, after the text was shown as well. */
  onReturn: () => void;
}) {
  const returnToPage = useEffectEvent(onReturn);
  const { isMeasured } = zoom;
  useEffect(() => {
    if (isMeasured) returnToPage();
  }, [isMeasured]);
  return (
    <ol className={styles.pages}>
      {isMeasured &&
        pdf.pages.map(({ number }) => (
          <PdfPage
            key={number}
            pdf={pdf}
            page={number}
            zoom={zoom.zoomOf(number)}
            scroller={scroller}
            matches={find.matchesOnPage(number)}
            onRendered={number === 1 ? onShown : doNothing}
          />
        ))}
    </ol>
  );
}

const doNothing = () => {};

/**
 * Goes to the page of the current match: a distant page has no text yet. The match itself appears once it is rendered.
 * @param currentMatch undefined while the document is shown as text, which scrolls to the match itself
 */
function useGoToMatch(
  currentMatch: DocumentFind['currentMatch'],
  page: number,
  goToPage: (page: number) => void,
): void {
  const goToMatch = useEffectEvent((match: DocumentFind['currentMatch']) => {
    if (match && match.page !== page) goToPage(match.page);
  });
  useEffect(() => goToMatch(currentMatch), [currentMatch]);
}
