import { formatMoney } from '@keyturn/format/money';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import styles from './money-lines.module.css';

export interface MoneyLine {
  label: string;
  /** Pence. */
  amount: number;
  /** Whether this is the sum of the lines before it. */
  total?: boolean;
}

/** A list of amounts such as net, VAT and total. */
export function MoneyLines({ lines }: { lines: MoneyLine[] }) {
  return (
    <dl>
      {lines.map(({ label, amount, total }, index) => (
        // Two lines can have the same label, and none moves.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={index} className={classNames(styles.line, total && styles.total)}>
          <dt>{label}</dt>
          <dd>{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
