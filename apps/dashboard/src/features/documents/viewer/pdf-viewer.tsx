import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { FindBar } from '../find/find-bar.tsx';
import { useFind } from '../find/use-find.ts';
import { DocumentBox } from './document-scroller.tsx';
import type { OpenPdf } from './open-pdf.ts';
import { PdfPage } from './pdf-page.tsx';
import { printPictures } from './print-images.ts';
import { usePinch, useRoom, useSteadyMiddle } from './scroller-hooks.ts';
import styles from './viewer.module.css';
import { ViewerBar } from './viewer-toolbar.tsx';
import { fitZoom, limitZoom, stepZoom, type Zoom } from './zoom.ts';

export interface PdfViewerProps {
  pdf: OpenPdf;
  title: string;
  /** The first page is to be seen. */
  onShown: () => void;
  onDownload: () => void;
}

/** A PDF page by page in a box of its own, with the ways to move in it. */
export function PdfViewer({ pdf, title, onShown, onDownload }: PdfViewerProps) {
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const [wanted, setWanted] = useState<Zoom>('fit');
  const [page, setPage] = useState(1);
  // To fit, each page by itself: a plan on its side makes no letter smaller.
  const zoomOf = (number: number) => (wanted === 'fit' ? fitZoom(pdf.pages[number - 1], room) : wanted);
  const zoom = zoomOf(page);
  const [isFinding, setIsFinding] = useState(false);
  const finding = useFind(pdf, isFinding, () => page);
  const { printing, print } = usePrinting(pdf);
  useSteadyMiddle(box, zoomOf(1));
  usePinch(box, (factor) => setWanted((before) => limitZoom((before === 'fit' ? zoom : before) * factor)));

  const go = (to: number) => {
    const sheet = box.current?.querySelectorAll<HTMLElement>('li')[to - 1];
    if (box.current && sheet) box.current.scrollTop = sheet.offsetTop - 12;
    setPage(to);
  };
  // A page that is far away has no text in place yet: it is gone to, and what is found there shows when it has.
  const goToFound = useEffectEvent((found: typeof finding.current) => {
    if (found && found.page !== page) go(found.page);
  });
  useEffect(() => goToFound(finding.current), [finding.current]);

  const closeFind = () => {
    setIsFinding(false);
    box.current?.focus({ preventScroll: true });
  };
  const viewer = useRef<HTMLDivElement>(null);
  // Keys for what the buttons do as well, wherever in the viewer the focus is.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      setIsFinding(true);
    } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === '+' || event.key === '=') setWanted(stepZoom(zoom, 1));
      if (event.key === '-') setWanted(stepZoom(zoom, -1));
      if (event.key === '0') setWanted('fit');
    }
  });
  useEffect(() => {
    const element = viewer.current;
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  }, []);

  return (
    <div className={styles.viewer} ref={viewer} data-never-recorded>
      <ViewerBar
        pages={{ shown: page, count: pdf.pages.length, onGo: go }}
        zoom={zoom}
        isFit={wanted === 'fit'}
        onZoom={(direction) => setWanted(stepZoom(zoom, direction))}
        onFit={() => setWanted('fit')}
        onFind={() => setIsFinding(!isFinding)}
        isFinding={isFinding}
        onDownload={onDownload}
        onPrint={print}
        printing={printing}
      >
        {isFinding && <FindBar finding={finding} onClose={closeFind} />}
      </ViewerBar>
      <DocumentBox box={box} title={title} onScroll={(scrolled) => setPage(pageInSight(scrolled))}>
        <ol className={styles.sheets}>
          {room > 0 &&
            pdf.pages.map(({ number }) => (
              <PdfPage
                key={number}
                pdf={pdf}
                page={number}
                zoom={zoomOf(number)}
                box={box}
                finds={finding.onPage(number)}
                onDrawn={number === 1 ? onShown : nothing}
              />
            ))}
        </ol>
      </DocumentBox>
    </div>
  );
}

const nothing = () => {};

/** The page that covers the upper third of what is seen. */
function pageInSight(box: HTMLElement): number {
  const sheets = [...box.querySelectorAll<HTMLElement>('li')];
  const isAtEnd = box.scrollTop > 0 && box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  if (isAtEnd) return sheets.length;
  const line = box.scrollTop + box.clientHeight / 3;
  const next = sheets.findIndex((sheet) => sheet.offsetTop > line);
  return next === -1 ? sheets.length : Math.max(next, 1);
}

/** Prints all pages; says how far it has got. */
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
      await printPictures(pdf.pages.length, (index) => pictureOf(pdf, index + 1, controller.signal), {
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
    printing: done === null ? null : `Page ${Math.min(done + 1, count)} of ${count}…`,
    print: () => void print(),
  };
}

/** A page at 200 dots per inch. */
async function pictureOf(pdf: OpenPdf, page: number, signal: AbortSignal): Promise<Blob> {
  const canvas = await pdf.draw(page, 200 / 96, signal);
  try {
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture of the page'))));
    });
  } finally {
    canvas.width = 0;
    canvas.height = 0;
  }
}
