import type { ReactNode, RefObject } from 'react';
import styles from './viewer.module.css';

export interface DocumentScrollerProps {
  ref: RefObject<HTMLDivElement | null>;
  title: string;
  onScroll?: (scroller: HTMLElement) => void;
  children: ReactNode;
}

/** The scrolling area around a document. It takes the focus so that the keyboard can scroll it. */
export function DocumentScroller({ ref, title, onScroll, children }: DocumentScrollerProps) {
  return (
    <section
      className={styles.scroller}
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can only scroll an element that takes the focus
      tabIndex={0}
      aria-label={`Document: ${title}`}
      onScroll={({ currentTarget }) => onScroll?.(currentTarget)}
    >
      {children}
    </section>
  );
}
