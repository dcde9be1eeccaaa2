import { classNames } from '../base/class-names.ts';
import { formatMoney } from '../format/format-money.ts';
import styles from './money-lines.module.css';

export interface MoneyLine {
  label: string;
  /** Pence. */
  amount: number;
  /** The sum of those before it. */
  total?: boolean;
}

/** Amounts under each other: net, VAT, total. */
export function MoneyLines({ lines }: { lines: MoneyLine[] }) {
  return (
    <dl className={styles.lines}>
      {lines.map(({ label, amount, total }) => (
        <div key={label} className={classNames(styles.line, total && styles.total)}>
          <dt>{label}</dt>
          <dd>{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
