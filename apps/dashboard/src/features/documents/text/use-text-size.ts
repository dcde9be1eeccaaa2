import { useState } from 'react';
import type { GestureHandlers } from '../viewer/use-gestures.ts';
import { stepZoom } from '../viewer/zoom.ts';

/** The size of the text view, where 1 is the size of text on every other screen. */
export function useTextSize() {
  const [zoom, setZoom] = useState(1);
  const gestures: GestureHandlers = {
    onPinch: (factor) => setZoom((previous) => limitSize(previous * factor)),
    onDoubleTap: () => {},
  };
  return {
    zoom,
    isFit: zoom === 1,
    step: (direction: 1 | -1) => setZoom(limitSize(stepZoom(zoom, direction))),
    fit: () => setZoom(1),
    gestures,
  };
}

const limitSize = (size: number) => Math.min(Math.max(size, 0.8), 3);
