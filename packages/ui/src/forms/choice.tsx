import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import styles from './choice.module.css';
import tick from './tick.module.css';

export interface ChoiceProps {
  id: string;
  /** The same for all choices of a question. */
  name: string;
  checked: boolean;
  onChoose(): void;
  /** The id of the question's error, if any. Marks the choice as invalid. */
  errorId?: string | undefined;
  hint?: string;
  children: ReactNode;
}

/** A radio button with its label and hint. */
export function Choice({ id, name, checked, onChoose, errorId, hint, children }: ChoiceProps) {
  const described = [hint && `${id}-hint`, errorId].filter(Boolean).join(' ');
  return (
    <div>
      <label className={styles.choice} htmlFor={id}>
        <input
          id={id}
          type="radio"
          name={name}
          className={classNames(tick.tick, tick.radio)}
          checked={checked}
          aria-describedby={described || undefined}
          data-wrong={errorId ? true : undefined}
          onChange={onChoose}
        />
        <span>{children}</span>
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
