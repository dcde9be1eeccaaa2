import { describe, expect, test } from 'vitest';
import { drawScale, fitZoom, limitZoom, percent, stepZoom } from './zoom.ts';

const a4 = { width: 794, height: 1123 };

describe('zoom', () => {
  test('goes from step to step, also from between them, and no further than its ends', () => {
    expect(stepZoom(1, 1)).toBe(1.1);
    expect(stepZoom(1, -1)).toBe(0.9);
    expect(stepZoom(0.47, 1)).toBe(0.5);
    expect(stepZoom(0.47, -1)).toBe(0.25);
    expect(stepZoom(4, 1)).toBe(4);
    expect(stepZoom(0.25, -1)).toBe(0.25);
  });

  test('does not take a step that nobody sees', () => {
    expect(stepZoom(0.995, 1)).toBe(1.1);
    expect(stepZoom(1.003, -1)).toBe(0.9);
  });

  test('fits a page into a phone, and makes no poster of it on a wide screen', () => {
    expect(fitZoom(a4, 374) * a4.width).toBeCloseTo(374);
    expect(fitZoom(a4, 3_000)).toBe(1.2);
    expect(fitZoom(undefined, 374)).toBe(1.2);
  });

  test('stays within its limits, whatever two fingers do', () => {
    expect(limitZoom(0)).toBe(0.25);
    expect(limitZoom(99)).toBe(4);
  });

  test('is said in percent', () => {
    expect(percent(0.47123)).toBe('47%');
  });
});

describe('a page is drawn', () => {
  test('at the sharpness of the screen', () => {
    expect(drawScale(a4, 0.5, 2)).toBe(1);
    expect(drawScale(a4, 1, 1.25)).toBe(1.25);
  });

  test('but never larger than a canvas may be', () => {
    const scale = drawScale(a4, 4, 3);
    expect(a4.width * scale * a4.height * scale).toBeLessThanOrEqual(12_000_001);
    expect(scale).toBeGreaterThan(3);
  });
});
