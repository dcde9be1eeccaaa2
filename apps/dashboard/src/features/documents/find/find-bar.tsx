import { useEffect, useId, useRef } from 'react';
import styles from '../viewer/viewer.module.css';
import type { Finding } from './use-find.ts';

/** Finds words in the document: how many there are, and from one to the next. */
export function FindBar({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      className={styles.find}
      aria-label="Find in this document"
      onSubmit={(event) => {
        event.preventDefault();
        finding.step(1);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          onClose();
        }
        if (event.key === 'Enter' && event.shiftKey && event.target === field.current) {
          event.preventDefault();
          finding.step(-1);
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
        value={finding.query}
        onChange={(event) => finding.setQuery(event.target.value)}
      />
      <p className={styles.count} role="status">
        {finding.words}
      </p>
      <div className={styles.ways}>
        <button
          type="button"
          className={styles.word}
          disabled={finding.count < 2}
          onClick={() => finding.step(-1)}
        >
          Previous
        </button>
        <button
          type="button"
          className={styles.word}
          disabled={finding.count < 2}
          onClick={() => finding.step(1)}
        >
          Next
        </button>
        <button type="button" className={styles.word} onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  );
}
