import type { ReactNode } from 'react';
import styles from './toolbar.module.css';

/** The search field and filters above a table. */
export const Toolbar = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the group with each of its fields.
  <div className={styles.toolbar} role="group" aria-label={label}>
    {children}
  </div>
);
