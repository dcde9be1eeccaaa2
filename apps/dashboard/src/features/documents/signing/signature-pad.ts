import SignaturePad from 'signature_pad';

/** The lines on a signature pad, and the pad’s size; both in CSS pixels. */
export interface PadDrawing {
  lines: { x: number; y: number }[][];
  pad: { width: number; height: number };
}

export interface OpenPad {
  clear(): void;
  close(): void;
}

/**
 * Lets the client draw on a canvas with a finger, a stylus or a mouse.
 * @param onChange called after each line, with null once the pad is cleared
 */
export function openPad(canvas: HTMLCanvasElement, onChange: (drawing: PadDrawing | null) => void): OpenPad {
  const pad = new SignaturePad(canvas, { penColor: ink, minWidth: 0.8, maxWidth: 2.4 });
  let size = { width: 0, height: 0 };
  /** The drawing as made, with the pad’s size at the time. */
  let original = { data: pad.toData(), size };
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || (width === size.width && height === size.height)) return;
    // Scales the original, so that rotating a phone twice restores the drawing exactly.
    const ratio = Math.min(width / original.size.width, height / original.size.height, 1);
    const density = Math.max(window.devicePixelRatio || 1, 1);
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    canvas.getContext('2d')?.scale(density, density);
    size = { width, height };
    pad.fromData(
      original.data.map((line) => ({
        ...line,
        points: line.points.map((point) => ({ ...point, x: point.x * ratio, y: point.y * ratio })),
      })),
    );
  };
  const reportChange = () => {
    original = { data: structuredClone(pad.toData()), size };
    const lines = pad.toData().map(({ points }) => points.map(({ x, y }) => ({ x, y })));
    onChange(lines.length === 0 ? null : { lines, pad: size });
  };
  fit();
  const observer = new ResizeObserver(fit);
  observer.observe(canvas);
  pad.addEventListener('endStroke', reportChange);
  return {
    clear: () => {
      pad.clear();
      reportChange();
    },
    close: () => {
      observer.disconnect();
      pad.off();
    },
  };
}

/** The pad is white in dark mode too, so the ink is always dark. */
const ink = '#1b2420';
