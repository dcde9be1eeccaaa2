import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { FindBar } from '../find/find-bar.tsx';
import { useFind } from '../find/use-find.ts';
import { DocumentScroller } from './document-scroller.tsx';
import type { OpenPdf } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import { printImages } from './print-images.ts';
import { useContentWidth, usePinch, useStableCentre } from './scroller-hooks.ts';
import styles from './viewer.module.css';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import { fitZoom, limitZoom, stepZoom, type Zoom } from './zoom.ts';

export interface PdfViewerProps {
  pdf: OpenPdf;
  title: string;
  /** Called once the first page is visible. */
  onShown: () => void;
  onDownload: () => void;
}

/** Shows the pages of a PDF in a scrolling area, with controls for moving, zooming, finding text and printing. */
export function PdfViewer({ pdf, title, onShown, onDownload }: PdfViewerProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState(1);
  const { zoomSetting, setZoomSetting, zoom, zoomOf, availableWidth } = useZoom(scroller, pdf, page);
  const [isFinding, setIsFinding] = useState(false);
  const find = useFind(pdf, isFinding, () => page);
  const { printProgress, print } = usePrinting(pdf);

  const goToPage = (number: number) => {
    const target = scroller.current?.querySelectorAll<HTMLElement>('li')[number - 1];
    if (scroller.current && target) scroller.current.scrollTop = target.offsetTop - 12;
    setPage(number);
  };
  // A distant page has no text layer yet, so the viewer goes to the page first; the match appears once it is rendered.
  const goToMatch = useEffectEvent((match: typeof find.currentMatch) => {
    if (match && match.page !== page) goToPage(match.page);
  });
  useEffect(() => goToMatch(find.currentMatch), [find.currentMatch]);

  const viewer = useRef<HTMLDivElement>(null);
  useShortcuts(viewer, {
    onFind: () => setIsFinding(true),
    onZoom: (direction) => setZoomSetting(stepZoom(zoom, direction)),
    onFit: () => setZoomSetting('fit'),
  });

  return (
    <div className={styles.viewer} ref={viewer} data-never-recorded>
      <ViewerToolbar
        pages={{ current: page, count: pdf.pages.length, onGoToPage: goToPage }}
        zoom={zoom}
        isFit={zoomSetting === 'fit'}
        onZoom={(direction) => setZoomSetting(stepZoom(zoom, direction))}
        onFit={() => setZoomSetting('fit')}
        onFind={() => setIsFinding(!isFinding)}
        isFinding={isFinding}
        onDownload={onDownload}
        onPrint={print}
        printProgress={printProgress}
      >
        {isFinding && (
          <FindBar
            find={find}
            onClose={() => {
              setIsFinding(false);
              scroller.current?.focus({ preventScroll: true });
            }}
          />
        )}
      </ViewerToolbar>
      <DocumentScroller ref={scroller} title={title} onScroll={(element) => setPage(visiblePage(element))}>
        <ol className={styles.pages}>
          {availableWidth > 0 &&
            pdf.pages.map(({ number }) => (
              <PdfPage
                key={number}
                pdf={pdf}
                page={number}
                zoom={zoomOf(number)}
                scroller={scroller}
                matches={find.matchesOnPage(number)}
                onRendered={number === 1 ? onShown : doNothing}
              />
            ))}
        </ol>
      </DocumentScroller>
    </div>
  );
}

const doNothing = () => {};

/** The zoom of each page, changed by the toolbar, by keys or by pinching. */
function useZoom(scroller: RefObject<HTMLDivElement | null>, pdf: OpenPdf, page: number) {
  const availableWidth = useContentWidth(scroller);
  const [zoomSetting, setZoomSetting] = useState<Zoom>('fit');
  // Each page is fitted on its own, so that one landscape plan does not shrink the other pages.
  const zoomOf = (number: number) =>
    zoomSetting === 'fit' ? fitZoom(pdf.pages[number - 1], availableWidth) : zoomSetting;
  const zoom = zoomOf(page);
  useStableCentre(scroller, zoomOf(1));
  usePinch(scroller, (factor) =>
    setZoomSetting((setting) => limitZoom((setting === 'fit' ? zoom : setting) * factor)),
  );
  return { zoomSetting, setZoomSetting, zoom, zoomOf, availableWidth };
}

interface ShortcutHandlers {
  onFind(): void;
  onZoom(direction: 1 | -1): void;
  onFit(): void;
}

/** Keyboard shortcuts that work wherever in the viewer the focus is. */
function useShortcuts(viewer: RefObject<HTMLElement | null>, handlers: ShortcutHandlers): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      handlers.onFind();
    } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === '+' || event.key === '=') handlers.onZoom(1);
      if (event.key === '-') handlers.onZoom(-1);
      if (event.key === '0') handlers.onFit();
    }
  });
  useEffect(() => {
    const element = viewer.current;
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [viewer]);
}

/** Returns the number of the page that covers the upper third of the visible area. */
function visiblePage(scroller: HTMLElement): number {
  const pages = [...scroller.querySelectorAll<HTMLElement>('li')];
  const isAtEnd =
    scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  if (isAtEnd) return pages.length;
  const line = scroller.scrollTop + scroller.clientHeight / 3;
  const next = pages.findIndex((page) => page.offsetTop > line);
  return next === -1 ? pages.length : Math.max(next, 1);
}

/** Prints all pages and reports the progress. */
function usePrinting(pdf: OpenPdf) {
  const [done, setDone] = useState<number | null>(null);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const print = async () => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setDone(0);
    try {
      await printImages(pdf.pages.length, (index) => renderForPrint(pdf, index + 1, controller.signal), {
        signal: controller.signal,
        onProgress: setDone,
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setDone(null);
    }
  };
  const count = pdf.pages.length;
  return {
    printProgress: done === null ? null : `Page ${Math.min(done + 1, count)} of ${count}…`,
    print: () => void print(),
  };
}

/** Renders a page at 200 dots per inch. */
async function renderForPrint(pdf: OpenPdf, page: number, signal: AbortSignal): Promise<Blob> {
  const canvas = await pdf.renderPage(page, 200 / 96, signal);
  try {
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error(`page ${page} could not be rendered for printing`)),
      );
    });
  } finally {
    canvas.width = 0;
    canvas.height = 0;
  }
}
