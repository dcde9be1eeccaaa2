import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { createFontLibrary } from '../fonts/font-library.ts';
import type { TextLine, TextStyle } from './text-style.ts';
import { createTextWriter } from './text-writer.ts';

const style: TextStyle = { face: 'text', weight: 400, size: 10, colour: '#000000' };
const fonts = createFontLibrary();
const writer = () => createTextWriter(new PDFDocument({ font: '' }), fonts);
const textOf = ({ pieces }: TextLine) => pieces.map(({ text }) => text).join('');
const breakText = (text: string, width: number) => writer().lines(text, style, width).map(textOf);

describe('createTextWriter', () => {
  test('breaks text at spaces and drops them at the end of a line', () => {
    expect(breakText('one two three', 40)).toEqual(['one two', 'three']);
    expect(breakText('one\ntwo\r\nthree', 400)).toEqual(['one', 'two', 'three']);
  });

  test('breaks text after hyphens but not at no-break spaces', () => {
    expect(breakText("O'Brien-Łukasiewicz", 60)).toEqual(["O'Brien-", 'Łukasiewicz']);
    expect(breakText('flat 10\u{a0}b', 32)).toEqual(['flat', '10 b']);
  });

  test('breaks a word that is wider than a line without losing characters', () => {
    const word = 'abcdefghij'.repeat(12);
    const lines = breakText(word, 100);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).toBe(word);
  });

  test('breaks between ideographs but not before closing punctuation', () => {
    expect(breakText('北京市朝阳区', 40)).toEqual(['北京市朝', '阳区']);
    expect(breakText('北京市朝，阳区', 40)).toEqual(['北京市', '朝，阳区']);
  });

  test('never breaks within a grapheme cluster', () => {
    const family = '\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}';
    const lines = breakText(family.repeat(8), 50);
    expect(lines.join('')).toBe(family.repeat(8));
    for (const line of lines) expect(line.length % family.length).toBe(0);
  });

  test('lays out text without visible characters as one line', () => {
    expect(breakText('', 100)).toEqual(['']);
    expect(breakText(' \u{200b}\u{202e}', 100)).toEqual([' ']);
  });

  test('draws each character in the first font that has it', () => {
    const [line] = writer().lines('Łódź 李 שלום سلام \u{2764}\u{fe0f} \u{16a0}', style, 400);
    const fonts = new Map(line?.pieces.map(({ text, font }) => [text.trim(), font.key]));
    expect(fonts.get('Ł')).toBe('figtree-latin-ext-400');
    expect(fonts.get('李')).toMatch(/^noto-sans-sc-\d+-400$/);
    expect(fonts.get('שלום')).toBe('noto-sans-hebrew-hebrew-400');
    expect(fonts.get('سلام')).toBe('noto-sans-arabic-arabic-400');
    expect(fonts.get('\u{2764}\u{fe0f}') ?? fonts.get('\u{2764}')).toMatch(/^noto-emoji-\d+-400$/);
    expect(fonts.get('\u{fffd}')).toBe('noto-sans-latin-400');
  });

  test('lays out right-to-left text with embedded numbers and English', () => {
    const [line] = writer().lines('דירה 12 (Park Lane) תל', style, 400);
    const positionOf = (text: string) =>
      line?.pieces.find((piece) => piece.text.includes(text))?.x ?? Number.NaN;
    expect(positionOf('דירה')).toBeGreaterThan(positionOf('12'));
    expect(positionOf('12')).toBeGreaterThan(positionOf('Park'));
    expect(positionOf('Park')).toBeGreaterThan(positionOf('תל'));
    // The opening bracket is on the right and mirrored.
    expect(positionOf(')')).toBeGreaterThan(positionOf('Park'));
  });

  test('aligns right-to-left lines on the right', () => {
    const lines = writer().lines('שלום עולם שלום עולם שלום', style, 60);
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.map(({ width }) => width)).size).toBe(1);
  });

  test('replaces control characters and lone surrogates with U+FFFD', () => {
    expect(breakText('a\u{0}b\u{1b}c\u{d800}d', 400)).toEqual(['a\u{fffd}b\u{fffd}c\u{fffd}d']);
  });

  test('never exceeds the width and never throws, whatever the text', { timeout: 60_000 }, () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('م', 'ل', 'א', '(', '1', ' ', 'a', '\u{301}', '\u{202e}', '\u{2067}'),
      }),
    );
    fc.assert(
      // The widest character, U+FDFD, is 98 points wide, and cannot be split.
      fc.property(anyText, fc.integer({ min: 100, max: 400 }), (text, width) => {
        const pdf = new PDFDocument({ font: '' });
        const anyWriter = createTextWriter(pdf, fonts);
        for (const line of anyWriter.lines(text, style, width)) {
          expect(line.width).toBeLessThanOrEqual(width + 0.02);
          anyWriter.draw(line, style, 0, 100);
        }
      }),
      { numRuns: 150, examples: [['㌀', 30]] },
    );
  });

  test('lays out 20,000 characters without spaces within seconds', { timeout: 60_000 }, () => {
    for (const part of ['W', 'لا', '\u{1f469}\u{200d}', '([', '\u{202e}\u{2067}a']) {
      const started = performance.now();
      writer().lines(part.repeat(20_000 / part.length), style, 300);
      expect(performance.now() - started).toBeLessThan(8_000);
    }
  });
});
