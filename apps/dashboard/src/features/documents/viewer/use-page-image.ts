import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { OpenPdf } from './open-pdf.ts';
import { drawScale } from './zoom.ts';

/**
 * Renders the image of a page into a container while the page is near the visible area, renders it again when its size
 * changes, and frees its memory when it moves away.
 * @returns whether rendering has failed
 */
export function usePageImage(options: {
  pdf: OpenPdf;
  page: number;
  container: RefObject<HTMLElement | null>;
  isNear: boolean;
  zoom: number;
  onRendered: () => void;
}): boolean {
  const { pdf, page, container, isNear, zoom, onRendered } = options;
  const [hasFailed, setHasFailed] = useState(false);
  const devicePixelRatio = useDevicePixelRatio();
  const scale = drawScale(pdf.pages[page - 1] ?? { width: 1, height: 1 }, zoom, devicePixelRatio);
  const latestOnRendered = useRef(onRendered);
  useLayoutEffect(() => {
    latestOnRendered.current = onRendered;
  });

  useEffect(() => {
    const element = container.current;
    if (!element || !isNear) return;
    const abort = new AbortController();
    const render = async () => {
      try {
        const canvas = await pdf.renderPage(page, scale, abort.signal);
        if (abort.signal.aborted) return releaseCanvas(canvas);
        const previous = [...element.children];
        element.replaceChildren(canvas);
        previous.forEach(releaseCanvas);
        setHasFailed(false);
        latestOnRendered.current();
      } catch {
        if (!abort.signal.aborted) setHasFailed(true);
      }
    };
    // While the client is zooming, the existing image is stretched; it is rendered again once the size settles.
    const timer = setTimeout(() => void render(), element.hasChildNodes() ? 150 : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pdf, page, container, isNear, scale]);

  useEffect(() => {
    const element = container.current;
    if (!isNear) return;
    return () => {
      for (const canvas of [...(element?.children ?? [])]) releaseCanvas(canvas);
    };
  }, [container, isNear]);
  return hasFailed;
}

/** Removes a canvas and frees its memory at once; some browsers otherwise keep it until they collect garbage. */
function releaseCanvas(canvas: Element) {
  if (canvas instanceof HTMLCanvasElement) {
    canvas.width = 0;
    canvas.height = 0;
  }
  canvas.remove();
}

/** The device pixels per CSS pixel, which change with the screen and with the browser’s own zoom. */
function useDevicePixelRatio(): number {
  const [ratio, setRatio] = useState(() => window.devicePixelRatio || 1);
  useEffect(() => {
    const query = matchMedia(`(resolution: ${ratio}dppx)`);
    const onChange = () => setRatio(window.devicePixelRatio || 1);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, [ratio]);
  return ratio;
}
