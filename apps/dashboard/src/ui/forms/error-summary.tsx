import { useEffect, useRef } from 'react';
import styles from './error-summary.module.css';

export interface FormError {
  /** The id of the field. */
  field: string;
  message: string;
}

/** Lists the errors of a form at its top. Receives the focus when it appears; each error links to its field. */
export function ErrorSummary({
  faults,
  title = 'Please check your answers',
}: {
  faults: FormError[];
  title?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = faults.length === 0;
  useEffect(() => {
    if (!isEmpty) box.current?.focus();
  }, [isEmpty]);
  if (isEmpty) return null;
  return (
    <div
      className={styles.summary}
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-labelledby="error-summary-title"
    >
      <h2 id="error-summary-title">{title}</h2>
      <ul>
        {faults.map(({ field, message }) => (
          <li key={field}>
            <a
              href={`#${field}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(field)?.focus();
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
