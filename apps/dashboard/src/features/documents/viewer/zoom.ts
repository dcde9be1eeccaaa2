import type { PageSize } from './open-pdf.ts';

/** `fit` fills the available width; a number is the zoom factor, where 1 is 100%. */
export type Zoom = 'fit' | number;

/** Returns the next zoom step above or below the current zoom factor. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  // Skips a step that would hardly be visible.
  const next =
    direction === 1 ? steps.find((step) => step > zoom * 1.02) : steps.findLast((step) => step < zoom * 0.98);
  return next ?? limitZoom(zoom);
}

/** Returns the zoom factor at which a page fills `width` CSS pixels, up to a readable maximum. */
export const fitZoom = (page: PageSize | undefined, width: number): number =>
  limitZoom(Math.min(width / (page?.width || 1), maxFitZoom));

/** Whether a page is visibly larger than fitted to the width. */
export const isZoomedIn = (zoom: number, fit: number): boolean => zoom > fit * 1.05;

/** Clamps a zoom factor to the supported range. */
export const limitZoom = (zoom: number): number => Math.min(Math.max(zoom, minZoom), maxZoom);

/** Returns the device pixels to draw for each CSS pixel of a page at 100%, within what a phone’s canvas can hold. */
export function drawScale({ width, height }: PageSize, zoom: number, devicePixelRatio: number): number {
  const sharpScale = zoom * Math.min(devicePixelRatio, 3);
  return Math.min(sharpScale, Math.sqrt(maxCanvasPixels / (width * height)));
}

/** Formats a zoom factor: "110%". */
export const formatZoom = (zoom: number): string => `${Math.round(zoom * 100)}%`;

const steps = [0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];
const minZoom = 0.25;
const maxZoom = 4;
const maxFitZoom = 1.2;
/** Safari allows 16,777,216 pixels, but several pages are in memory at once. */
const maxCanvasPixels = 12_000_000;
