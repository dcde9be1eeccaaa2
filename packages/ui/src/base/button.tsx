import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';

export interface ButtonLook {
  /** `primary` for the main action of a screen, `quiet` for any other, `plain` for a button that looks like a link. */
  look?: 'primary' | 'quiet' | 'plain';
  size?: 'small' | 'normal' | 'full';
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonLook {
  /** Shows `busyText` and ignores presses, without losing size or focus. */
  busy?: boolean;
  busyText?: string;
}

export function Button({
  look = 'primary',
  size = 'normal',
  busy = false,
  busyText = 'Please wait',
  type = 'button',
  onClick,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(buttonClass({ look, size }), className)}
      aria-disabled={busy || undefined}
      data-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      <span className={styles.words}>{children}</span>
      {busy && (
        <span className={styles.busy}>
          <span className={styles.dots} aria-hidden="true" />
          {busyText}
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button, for `tel:` and other addresses outside the router. */
export function ButtonLink({
  look = 'primary',
  size = 'normal',
  className,
  children,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & ButtonLook & { href: string; children: ReactNode }) {
  return (
    <a {...rest} className={classNames(buttonClass({ look, size }), className)}>
      {children}
    </a>
  );
}

/** Returns the class names of a button, for the router's own `Link`. */
export const buttonClass = ({ look = 'primary', size = 'normal' }: ButtonLook): string =>
  classNames(styles.button, styles[look], styles[size]);
