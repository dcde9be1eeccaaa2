import type { PageSize } from './open-pdf.ts';

/** `fit`: as wide as there is room; a number: CSS pixels for each of 100 %. */
export type Zoom = 'fit' | number;

/** The next of the usual steps, larger or smaller than what is shown now. */
export function stepZoom(shown: number, direction: 1 | -1): number {
  // A step hardly to be seen is none.
  const next =
    direction === 1
      ? steps.find((step) => step > shown * 1.02)
      : steps.findLast((step) => step < shown * 0.98);
  return next ?? limitZoom(shown);
}

/** The size at which a page fills the room, and does not become a poster. */
export const fitZoom = (page: PageSize | undefined, room: number): number =>
  limitZoom(Math.min(room / (page?.width || 1), largestFit));

export const limitZoom = (zoom: number): number => Math.min(Math.max(zoom, smallest), largest);

/** Device pixels for a CSS pixel of a page at 100 %, no more than a canvas can hold on a phone. */
export function drawScale({ width, height }: PageSize, shown: number, devicePixels: number): number {
  const wanted = shown * Math.min(devicePixels, 3);
  return Math.min(wanted, Math.sqrt(mostPixels / (width * height)));
}

export const percent = (shown: number): string => `${Math.round(shown * 100)}%`;

const steps = [0.25, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];
const smallest = 0.25;
const largest = 4;
const largestFit = 1.2;
/** Safari's limit is 16,777,216; several pages are drawn at a time. */
const mostPixels = 12_000_000;
