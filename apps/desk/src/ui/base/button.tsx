import {
  buttonClass,
  Button as DashboardButton,
  type ButtonProps as DashboardButtonProps,
} from '@keyturn/ui/base/button.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import styles from './button.module.css';

/**
 * `primary` for the main action of a page, `quiet` for any other, `plain` for a button that looks like a link, `danger`
 * for what cannot be undone.
 */
type Look = 'primary' | 'quiet' | 'plain' | 'danger';

export interface ButtonProps extends Omit<DashboardButtonProps, 'look' | 'size'> {
  look?: Look;
  /** As wide as its container. */
  wide?: boolean;
}

/** The dashboard’s button in the desk’s size. */
export function Button({ look = 'quiet', wide = false, className, ...props }: ButtonProps) {
  return (
    <DashboardButton
      {...props}
      look={baseOf(look)}
      className={classNames(looksLike(look, wide), className)}
    />
  );
}

/** A link to a page of the desk that looks like a button. */
export function LinkButton({
  look = 'quiet',
  className,
  ...props
}: ComponentProps<typeof Link> & { look?: Look; className?: string }) {
  return (
    <Link
      {...props}
      className={classNames(buttonClass({ look: baseOf(look) }), looksLike(look, false), className)}
    />
  );
}

const baseOf = (look: Look) => (look === 'danger' ? 'quiet' : look);

const looksLike = (look: Look, wide: boolean) =>
  classNames(
    styles.dense,
    look === 'plain' && styles.plain,
    look === 'danger' && styles.danger,
    wide && styles.wide,
  );
