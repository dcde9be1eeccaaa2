import { classNames } from '@keyturn/ui/base/class-names.ts';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Button, type ButtonProps } from '../base/button.tsx';
import styles from './menu.module.css';

export interface MenuItem {
  name: string;
  onChoose(): void;
  /** For commands that cannot be undone. */
  isDangerous?: boolean;
}

export interface MenuProps {
  /** The content of the button. */
  children: ReactNode;
  /** Added for screen readers: the row to which the menu belongs, “for Rhian Morgan”. */
  about?: string;
  items: readonly MenuItem[];
  look?: ButtonProps['look'];
}

/** A button that opens a list of commands. */
export function Menu({ children, about, items, look = 'quiet' }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const close = () => menu.current?.hidePopover();
  const onKeyDown = (event: KeyboardEvent) => {
    const choices = [...(menu.current?.querySelectorAll('button') ?? [])];
    const index = choices.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: choices.length - 1 }[event.key];
    if (event.key === 'Tab') close();
    if (next === undefined) return;
    event.preventDefault();
    choices.at(next % choices.length)?.focus();
  };
  return (
    <>
      <span ref={button}>
        <Button look={look} popoverTarget={id} aria-haspopup="menu">
          {children}
          {about && <VisuallyHidden> {about}</VisuallyHidden>}
        </Button>
      </span>
      <div
        ref={menu}
        id={id}
        className={styles.menu}
        popover="auto"
        role="menu"
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          if (newState !== 'open') return;
          placeBelow(menu.current, button.current);
          menu.current?.querySelector('button')?.focus();
        }}
      >
        {items.map(({ name, onChoose, isDangerous }, index) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={classNames(
              styles.item,
              isDangerous && styles.danger,
              isDangerous && index > 0 && !items[index - 1]?.isDangerous && styles.separated,
            )}
            onClick={() => {
              close();
              onChoose();
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </>
  );
}

/** Places an open menu under its button, or above it where there is no room. Within the window in both directions. */
export function placeBelow(menu: HTMLElement | null, button: HTMLElement | null): void {
  if (!menu || !button) return;
  const around = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const gap = 4;
  const below = around.bottom + gap;
  const top = below + height > innerHeight ? Math.max(gap, around.top - gap - height) : below;
  const left = Math.max(gap, Math.min(around.left, innerWidth - width - 2 * gap));
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
}
