import SignaturePad from 'signature_pad';

/** What stands on a pad: its lines, in CSS pixels of a pad of this size. */
export interface Drawn {
  lines: { x: number; y: number }[][];
  pad: { width: number; height: number };
}

export interface Pad {
  clear(): void;
  close(): void;
}

/** Lets a canvas be drawn on with a finger, a pen or a mouse. Tells after each line; null once it is empty. */
export function openPad(canvas: HTMLCanvasElement, onChange: (drawn: Drawn | null) => void): Pad {
  const pad = new SignaturePad(canvas, { penColor: ink, minWidth: 0.8, maxWidth: 2.4 });
  let size = { width: 0, height: 0 };
  /** As it was drawn, and how large the pad was then. */
  let original = { data: pad.toData(), size };
  const fit = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || (width === size.width && height === size.height)) return;
    // A turned phone keeps what was drawn, and gives it back as it was when it is turned again.
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
  const tell = () => {
    original = { data: structuredClone(pad.toData()), size };
    const lines = pad.toData().map(({ points }) => points.map(({ x, y }) => ({ x, y })));
    onChange(lines.length === 0 ? null : { lines, pad: size });
  };
  fit();
  const observer = new ResizeObserver(fit);
  observer.observe(canvas);
  pad.addEventListener('endStroke', tell);
  return {
    clear: () => {
      pad.clear();
      tell();
    },
    close: () => {
      observer.disconnect();
      pad.off();
    },
  };
}

/** On paper, in the dark as well. */
const ink = '#1b2420';
