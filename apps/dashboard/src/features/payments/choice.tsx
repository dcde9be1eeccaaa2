import type { ReactNode } from 'react';
import styles from './payments.module.css';

export interface ChoiceProps {
  id: string;
  /** Shared by the choices of one question. */
  name: string;
  checked: boolean;
  onChoose(): void;
  /** The id of the question's error. */
  describedBy?: string | undefined;
  hint?: string;
  children: ReactNode;
}

/** One of several answers. */
export function Choice({ id, name, checked, onChoose, describedBy, hint, children }: ChoiceProps) {
  const described = [hint && `${id}-hint`, describedBy].filter(Boolean).join(' ');
  return (
    <div>
      <label className={styles.choice} htmlFor={id}>
        <input
          id={id}
          type="radio"
          name={name}
          checked={checked}
          aria-describedby={described || undefined}
          onChange={onChoose}
        />
        <span>{children}</span>
      </label>
      {hint && (
        <p className={styles.choiceHint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
