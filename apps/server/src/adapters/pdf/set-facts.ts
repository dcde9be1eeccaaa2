import { baseLine, type Sheet, styles } from './open-sheet.ts';

/** Names on the left, what they stand for on the right, under each other. */
export function setFacts(
  sheet: Sheet,
  facts: readonly (readonly [name: string, value: string])[],
  { gap = 4 } = {},
): void {
  const { writer, left: x, width } = sheet;
  const list = sheet.part(sheet.root, 'L');
  const leading = styles.text.size * 1.42;
  for (const [name, value] of facts) {
    const names = writer.lines(name, styles.soft, nameWidth - 12);
    const values = writer.lines(value, styles.text, width - nameWidth);
    sheet.need(Math.min(values.length, 4) * leading);
    const item = sheet.part(list, 'LI');
    const label = sheet.part(item, 'Lbl');
    const body = sheet.part(item, 'LBody');
    values.forEach((line, index) => {
      sheet.need(leading);
      const base = sheet.y + baseLine(styles.text);
      const nameLine = names[index];
      if (nameLine) sheet.mark(label, 'Lbl', () => writer.draw(nameLine, styles.soft, x, base));
      sheet.mark(body, 'LBody', () => writer.draw(line, styles.text, x + nameWidth, base));
      sheet.y += leading;
    });
    sheet.y += Math.max(0, names.length - values.length) * leading + gap;
  }
}

/** Points: of the column of names. */
const nameWidth = 112;
