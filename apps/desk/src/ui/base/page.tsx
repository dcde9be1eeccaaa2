import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { returnsToPlace } from '../table/place-in-list.ts';
import { isFocusLost } from './focus-heading.ts';
import styles from './page.module.css';
import { usePageTitle } from './page-title.ts';

export interface PageHeadProps {
  /** Also the title of the tab. */
  title: string;
  /** A line under the heading. */
  children?: ReactNode;
  /** The buttons of the page. */
  actions?: ReactNode;
}

/**
 * The heading of a page, with its actions. It titles the tab, and receives the focus after a navigation within the desk,
 * so that screen readers announce the page.
 */
export function PageHead({ title, children, actions }: PageHeadProps) {
  const box = useRef<HTMLDivElement>(null);
  const { isNavigation } = usePageTitle(title);
  useEffect(() => {
    // A list that the member returns to gives the focus to the row that they left.
    if (isNavigation() && !returnsToPlace()) box.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [isNavigation]);
  return (
    <div className={styles.head} ref={box}>
      <div className={styles.words}>
        <PageHeading>{title}</PageHeading>
        {children && <div className={styles.lead}>{children}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/**
 * A part of a page with its heading and actions. Do not nest sections. The heading gets the focus when what had it in this
 * section goes away, such as a task that was marked as done.
 */
export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const note = () => {
      hadFocus.current = box.current?.contains(document.activeElement) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    if (hadFocus.current && isFocusLost()) box.current?.querySelector('h2')?.focus();
  });
  return (
    <section ref={box} className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** The content of a list without entries. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <p>
        <strong>{title}</strong>
        {children}
      </p>
      {action && <div className={styles.more}>{action}</div>}
    </div>
  );
}
