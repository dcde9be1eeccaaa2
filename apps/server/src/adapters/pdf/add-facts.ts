import { baselineOffset, type TaggedDocument } from '@keyturn/pdf';
import { styles } from './letterhead-document.ts';

/** Adds a list of names and values in two columns. */
export function addFacts(
  document: TaggedDocument,
  facts: readonly (readonly [name: string, value: string])[],
  { gap = 4 } = {},
): void {
  const { writer, left: x, width } = document;
  const list = document.addElement(document.root, 'L');
  const leading = styles.text.size * 1.42;
  for (const [name, value] of facts) {
    const names = writer.lines(name, styles.soft, nameWidth - 12);
    const values = writer.lines(value, styles.text, width - nameWidth);
    document.ensureSpace(Math.min(values.length, 4) * leading);
    const item = document.addElement(list, 'LI');
    const label = document.addElement(item, 'Lbl');
    const body = document.addElement(item, 'LBody');
    values.forEach((line, index) => {
      document.ensureSpace(leading);
      const baseline = document.y + baselineOffset(styles.text);
      const nameLine = names[index];
      if (nameLine) document.drawContent(label, 'Lbl', () => writer.draw(nameLine, styles.soft, x, baseline));
      document.drawContent(body, 'LBody', () => writer.draw(line, styles.text, x + nameWidth, baseline));
      document.y += leading;
    });
    document.y += Math.max(0, names.length - values.length) * leading + gap;
  }
}

/** Points. */
const nameWidth = 112;
