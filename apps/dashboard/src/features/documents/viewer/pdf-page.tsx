import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../../ui/base/class-names.ts';
import type { Found } from '../find/find-in-text.ts';
import type { PageFinds } from '../find/use-find.ts';
import type { OpenPdf } from './open-pdf.ts';
import styles from './viewer.module.css';
import { drawScale } from './zoom.ts';

export interface PdfPageProps {
  pdf: OpenPdf;
  page: number;
  /** CSS pixels for each of 100 %. */
  zoom: number;
  /** What it is scrolled in. */
  box: RefObject<HTMLElement | null>;
  finds: PageFinds;
  onDrawn: () => void;
}

/**
 * One page: its picture while it is near to what is seen, at the sharpness of the screen, and its text in place over
 * it. In a short document the text of every page is there at once, for the browser's own find and for screen readers.
 */
export function PdfPage({ pdf, page, zoom, box, finds, onDrawn }: PdfPageProps) {
  const sheet = useRef<HTMLLIElement>(null);
  const size = pdf.pages[page - 1] ?? { width: 1, height: 1 };
  const isNear = useIsNear(sheet, box);
  const picture = useRef<HTMLDivElement>(null);
  const hasFailed = usePicture({ pdf, page, picture, isNear, zoom, onDrawn });
  const text = useRef<HTMLDivElement>(null);
  const pieces = usePieces({ pdf, page, text, isWanted: isNear || pdf.pages.length <= shortDocument });
  const marks = useMarks({ sheet, box, pieces, finds });
  return (
    <li
      className={styles.sheet}
      ref={sheet}
      aria-label={`Page ${page} of ${pdf.pages.length}`}
      style={
        {
          width: size.width * zoom,
          height: size.height * zoom,
          '--total-scale-factor': zoom * pointsToPixels,
        } as React.CSSProperties
      }
    >
      <div className={styles.picture} ref={picture} />
      {hasFailed && <p className={styles.failedPage}>This page could not be drawn. Download the document.</p>}
      {marks.map(({ key, isCurrent, ...place }) => (
        <span key={key} className={classNames(styles.mark, isCurrent && styles.current)} style={place} />
      ))}
      <div className={styles.text} ref={text} />
    </li>
  );
}

const shortDocument = 30;
const pointsToPixels = 96 / 72;

/** Within a screen's height of what is seen. */
function useIsNear(sheet: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    if (!sheet.current) return;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting ?? false),
      { root: box.current, rootMargin: '100% 0px' },
    );
    observer.observe(sheet.current);
    return () => observer.disconnect();
  }, [sheet, box]);
  return isNear;
}

/** Draws the page when it comes near, and again when its size has changed; far away its memory is freed. */
function usePicture(options: {
  pdf: OpenPdf;
  page: number;
  picture: RefObject<HTMLElement | null>;
  isNear: boolean;
  zoom: number;
  onDrawn: () => void;
}): boolean {
  const { pdf, page, picture, isNear, zoom, onDrawn } = options;
  const [hasFailed, setHasFailed] = useState(false);
  const devicePixels = useDevicePixels();
  const scale = drawScale(pdf.pages[page - 1] ?? { width: 1, height: 1 }, zoom, devicePixels);
  const drawn = useRef(onDrawn);
  useLayoutEffect(() => {
    drawn.current = onDrawn;
  });

  useEffect(() => {
    const place = picture.current;
    if (!place || !isNear) return;
    const abort = new AbortController();
    const draw = async () => {
      try {
        const canvas = await pdf.draw(page, scale, abort.signal);
        if (abort.signal.aborted) return free(canvas);
        const before = [...place.children];
        place.replaceChildren(canvas);
        before.forEach(free);
        setHasFailed(false);
        drawn.current();
      } catch {
        if (!abort.signal.aborted) setHasFailed(true);
      }
    };
    // While the size is being changed, the picture there is is stretched.
    const timer = setTimeout(() => void draw(), place.hasChildNodes() ? 150 : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pdf, page, picture, isNear, scale]);

  useEffect(() => {
    const place = picture.current;
    if (!isNear) return;
    return () => {
      for (const canvas of [...(place?.children ?? [])]) free(canvas);
    };
  }, [picture, isNear]);
  return hasFailed;
}

/** A canvas without size holds no memory; some browsers keep it otherwise until they clean up. */
function free(canvas: Element) {
  if (canvas instanceof HTMLCanvasElement) {
    canvas.width = 0;
    canvas.height = 0;
  }
  canvas.remove();
}

/** Device pixels for a CSS pixel; another screen or the browser's own zoom changes them. */
function useDevicePixels(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio || 1);
  useEffect(() => {
    const change = matchMedia(`(resolution: ${ratio}dppx)`);
    const follow = () => setRatio(window.devicePixelRatio || 1);
    change.addEventListener('change', follow);
    return () => change.removeEventListener('change', follow);
  }, [ratio]);
  return ratio;
}

/** The elements of the page's text, once they are in place. */
function usePieces(options: {
  pdf: OpenPdf;
  page: number;
  text: RefObject<HTMLElement | null>;
  isWanted: boolean;
}): HTMLElement[] | undefined {
  const { pdf, page, text, isWanted } = options;
  const [pieces, setPieces] = useState<HTMLElement[]>();
  const laid = useRef<OpenPdf>(undefined);
  useEffect(() => {
    const place = text.current;
    if (!place || !isWanted || laid.current === pdf) return;
    laid.current = pdf;
    place.replaceChildren();
    // A page whose text cannot be read is still a picture.
    pdf.layText(page, place).then(setPieces, () => {});
  }, [pdf, page, text, isWanted]);
  return pieces;
}

interface Mark {
  key: string;
  isCurrent: boolean;
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Boxes over what is found, in parts of the page so that they hold at any size; the one looked at is brought into view. */
function useMarks(options: {
  sheet: RefObject<HTMLElement | null>;
  box: RefObject<HTMLElement | null>;
  pieces: HTMLElement[] | undefined;
  finds: PageFinds;
}): Mark[] {
  const { sheet, box, pieces, finds } = options;
  const [marks, setMarks] = useState<Mark[]>([]);
  const { found, current } = useSameWhileEqual(finds);
  useEffect(() => {
    if (!sheet.current || !pieces || found.length === 0) {
      setMarks((before) => (before.length === 0 ? before : []));
      return;
    }
    const frame = sheet.current.getBoundingClientRect();
    const next = found.flatMap((place, index) =>
      rectsOf(place, pieces).map((rect, line) => ({
        key: `${index}.${line}`,
        isCurrent: index === current,
        left: share(rect.left - frame.left, frame.width),
        top: share(rect.top - frame.top, frame.height),
        width: share(rect.width, frame.width),
        height: share(rect.height, frame.height),
      })),
    );
    setMarks(next);
    const looked = found[current];
    const first = looked && rectsOf(looked, pieces)[0];
    if (first && box.current) bringIntoView(box.current, first);
  }, [sheet, box, pieces, found, current]);
  return marks;
}

/** The finds as one object for as long as they say the same: they are made anew with every drawing. */
function useSameWhileEqual(finds: PageFinds): PageFinds {
  const [kept, keep] = useState(finds);
  if (kept === finds || JSON.stringify(kept) === JSON.stringify(finds)) return kept;
  keep(finds);
  return finds;
}

const share = (part: number, whole: number) => `${((100 * part) / whole).toFixed(3)}%`;

function rectsOf({ from, to }: Found, pieces: HTMLElement[]): DOMRect[] {
  const rects: DOMRect[] = [];
  for (let index = from.piece; index <= to.piece; index += 1) {
    const node = pieces[index]?.firstChild;
    if (!(node instanceof Text)) continue;
    const range = document.createRange();
    range.setStart(node, index === from.piece ? Math.min(from.offset, node.length) : 0);
    range.setEnd(node, index === to.piece ? Math.min(to.offset, node.length) : node.length);
    rects.push(...[...range.getClientRects()].filter(({ width }) => width > 0));
  }
  return rects;
}

function bringIntoView(box: HTMLElement, rect: DOMRect) {
  const seen = box.getBoundingClientRect();
  if (rect.top < seen.top + 24 || rect.bottom > seen.bottom - 24) {
    box.scrollTop += rect.top - seen.top - seen.height / 3;
  }
  if (rect.left < seen.left + 8 || rect.right > seen.right - 8) {
    box.scrollLeft += rect.left - seen.left - seen.width / 3;
  }
}
