import { formatNearDay } from '@keyturn/format/london-time';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import styles from './fact-list.module.css';

export interface FactListProps {
  /** `day` is a calendar day; with a text, the day since which it applies. A fact that may have both is as wide as the list. */
  facts: { label: string; text?: string; day?: string | null }[];
  today: string;
  className?: string | undefined;
}

/** A list of short facts, each below its label. */
export function FactList({ facts, today, className }: FactListProps) {
  return (
    <dl className={classNames(styles.facts, className)}>
      {facts.map(({ label, text, day }) => (
        <div key={label} className={text !== undefined && day !== undefined ? styles.wide : undefined}>
          <dt>{label}</dt>
          <dd>
            {text}
            {text !== undefined && day && ', since '}
            {day && formatNearDay(day, today)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
