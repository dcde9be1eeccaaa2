import type { ReactNode, RefObject } from 'react';
import styles from './viewer.module.css';

export interface DocumentBoxProps {
  box: RefObject<HTMLDivElement | null>;
  title: string;
  onScroll?: (box: HTMLElement) => void;
  children: ReactNode;
}

/** What a document scrolls in: by pointer, by touch, and by keyboard once it has the focus. */
export function DocumentBox({ box, title, onScroll, children }: DocumentBoxProps) {
  return (
    <section
      className={styles.box}
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so the keyboard has to reach it
      tabIndex={0}
      aria-label={`${title}, the document`}
      onScroll={({ currentTarget }) => onScroll?.(currentTarget)}
    >
      {children}
    </section>
  );
}
