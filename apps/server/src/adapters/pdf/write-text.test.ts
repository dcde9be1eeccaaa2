import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { createFontShelf } from './font-shelf.ts';
import { createTextWriter, type TextLine, type TextStyle } from './write-text.ts';

const style: TextStyle = { face: 'text', weight: 400, size: 10, color: '#000000' };
const shelf = createFontShelf();
const writer = () => createTextWriter(new PDFDocument({ font: '' }), shelf);
const textOf = ({ pieces }: TextLine) => pieces.map(({ text }) => text).join('');
const set = (text: string, width: number) => writer().lines(text, style, width).map(textOf);

describe('a text', () => {
  test('breaks at spaces, which are not seen at the end of a line', () => {
    expect(set('one two three', 40)).toEqual(['one two', 'three']);
    expect(set('one\ntwo\r\nthree', 400)).toEqual(['one', 'two', 'three']);
  });

  test('breaks behind hyphens, but not at a space that does not break', () => {
    expect(set("O'Brien-Łukasiewicz", 60)).toEqual(["O'Brien-", 'Łukasiewicz']);
    expect(set('flat 10\u{a0}b', 32)).toEqual(['flat', '10 b']);
  });

  test('breaks inside a word that is wider than a line, and loses nothing of it', () => {
    const word = 'abcdefghij'.repeat(12);
    const lines = set(word, 100);
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).toBe(word);
  });

  test('breaks between ideographs, but never before what closes', () => {
    expect(set('北京市朝阳区', 40)).toEqual(['北京市朝', '阳区']);
    expect(set('北京市朝，阳区', 40)).toEqual(['北京市', '朝，阳区']);
  });

  test('never breaks inside what reads as one character', () => {
    const family = '\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}';
    const lines = set(family.repeat(8), 50);
    expect(lines.join('')).toBe(family.repeat(8));
    for (const line of lines) expect(line.length % family.length).toBe(0);
  });

  test('without a letter is one empty line', () => {
    expect(set('', 100)).toEqual(['']);
    expect(set(' \u{200b}\u{202e}', 100)).toEqual([' ']);
  });

  test('is drawn by the first font that has the character', () => {
    const [line] = writer().lines('Łódź 李 שלום سلام \u{2764}\u{fe0f} \u{16a0}', style, 400);
    const fonts = new Map(line?.pieces.map(({ text, font }) => [text.trim(), font.key]));
    expect(fonts.get('Ł')).toBe('figtree-latin-ext-400');
    expect(fonts.get('李')).toMatch(/^noto-sans-sc-\d+-400$/);
    expect(fonts.get('שלום')).toBe('noto-sans-hebrew-hebrew-400');
    expect(fonts.get('سلام')).toBe('noto-sans-arabic-arabic-400');
    expect(fonts.get('\u{2764}\u{fe0f}') ?? fonts.get('\u{2764}')).toMatch(/^noto-emoji-\d+-400$/);
    expect(fonts.get('\u{fffd}')).toBe('noto-sans-latin-400');
  });

  test('from right to left stands so, with numbers and English from left to right inside it', () => {
    const [line] = writer().lines('דירה 12 (Park Lane) תל', style, 400);
    const place = (text: string) => line?.pieces.find((piece) => piece.text.includes(text))?.x ?? Number.NaN;
    expect(place('דירה')).toBeGreaterThan(place('12'));
    expect(place('12')).toBeGreaterThan(place('Park'));
    expect(place('Park')).toBeGreaterThan(place('תל'));
    // The bracket that opens stands on the right and is drawn the other way round.
    expect(place(')')).toBeGreaterThan(place('Park'));
  });

  test('in lines from right to left begins every line at the same right end', () => {
    const lines = writer().lines('שלום עולם שלום עולם שלום', style, 60);
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.map(({ width }) => width)).size).toBe(1);
  });

  test('shows a control character or half a pair as the replacement character', () => {
    expect(set('a\u{0}b\u{1b}c\u{d800}d', 400)).toEqual(['a\u{fffd}b\u{fffd}c\u{fffd}d']);
  });

  test('never stands out of its width, and never throws', { timeout: 60_000 }, () => {
    const any = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('م', 'ل', 'א', '(', '1', ' ', 'a', '\u{301}', '\u{202e}', '\u{2067}'),
      }),
    );
    fc.assert(
      fc.property(any, fc.integer({ min: 30, max: 400 }), (text, width) => {
        const pdf = new PDFDocument({ font: '' });
        const writing = createTextWriter(pdf, shelf);
        for (const line of writing.lines(text, style, width)) {
          expect(line.width).toBeLessThanOrEqual(width + 0.02);
          writing.draw(line, style, 0, 100);
        }
      }),
      { numRuns: 150, examples: [['㌀', 30]] },
    );
  });

  test('of many thousands of characters without a space is set in seconds', { timeout: 60_000 }, () => {
    for (const part of ['W', 'لا', '\u{1f469}\u{200d}', '([', '\u{202e}\u{2067}a']) {
      const started = performance.now();
      writer().lines(part.repeat(20_000 / part.length), style, 300);
      expect(performance.now() - started).toBeLessThan(8_000);
    }
  });
});
