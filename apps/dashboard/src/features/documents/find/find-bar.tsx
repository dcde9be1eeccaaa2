import { useEffect, useId, useRef } from 'react';
import styles from '../viewer/viewer.module.css';
import type { DocumentFind } from './use-find.ts';

/** Finds text in the document: shows the number of matches and moves between them. */
export function FindBar({ find, onClose }: { find: DocumentFind; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={styles.find}
      aria-label="Find in this document"
      onSubmit={(event) => {
        event.preventDefault();
        find.step(1);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          onClose();
        }
        if (event.key === 'Enter' && event.shiftKey && event.target === field.current) {
          event.preventDefault();
          find.step(-1);
        }
      }}
    >
      <label htmlFor={id}>Find</label>
      <input
        ref={field}
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={100}
        value={find.query}
        onChange={(event) => find.setQuery(event.target.value)}
      />
      <p className={styles.matchCount} role="status">
        {find.status}
      </p>
      <div className={styles.actions}>
        <button
          type="button"
          className={styles.textButton}
          disabled={find.count < 2}
          onClick={() => find.step(-1)}
        >
          Previous
        </button>
        <button
          type="button"
          className={styles.textButton}
          disabled={find.count < 2}
          onClick={() => find.step(1)}
        >
          Next
        </button>
        <button type="button" className={styles.textButton} onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
