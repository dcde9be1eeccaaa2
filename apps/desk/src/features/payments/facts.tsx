import type { ReactNode } from 'react';
import styles from './payments.module.css';

/** Names and values. Facts without a value are left out. */
export const Facts = ({ facts }: { facts: readonly [name: string, value: ReactNode][] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
