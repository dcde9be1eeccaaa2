import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, contrastRatio, minContrast, nearestReadableColour } from './brand-colour.ts';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('computes the contrast ratio of two colours as WCAG defines it', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastRatio('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('accepts Keyturn’s default colour, and dark colours', () => {
  for (const readable of ['#14483c', '#0057b8', '#5b2a86']) expect(contrastOf(readable).isEnough).toBe(true);
});

test.each([
  ['#ffcc00', 'light'],
  ['#ff0000', 'light'],
  ['#000000', 'dark'],
])('rejects the colour %s because of the %s theme', (unreadable, theme) => {
  const { ratio, ...found } = contrastOf(unreadable);
  expect(found).toEqual({ theme, isEnough: false });
  expect(ratio).toBeLessThan(minContrast);
});

test('finds a readable colour near any colour, and keeps a readable one unchanged', () => {
  fc.assert(
    fc.property(colour, (chosen) => {
      const nearest = nearestReadableColour(chosen);
      expect(contrastOf(nearest).isEnough, chosen).toBe(true);
      if (contrastOf(chosen).isEnough) expect(nearest).toBe(chosen);
    }),
    { numRuns: 100 },
  );
});

test('suggests a readable colour of the same hue', () => {
  expect(nearestReadableColour('#ff0000')).toMatch(/^#[a-f][0-9a-f]0[0-9a-f]0[0-9a-f]$/);
});
