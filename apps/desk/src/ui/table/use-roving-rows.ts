import { useStore } from '@keyturn/browser/store/create-store.ts';
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { focusHeading, isFocusLost } from '../base/focus-heading.ts';
import { shortcutChoice, useShortcut } from '../keys/shortcuts.ts';
import { placeInList, rememberPlace } from './place-in-list.ts';

export interface RovingRowsOptions<Row> {
  /** Names the list in the tab’s history. */
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  onOpen: ((row: Row) => void) | undefined;
  isMain: boolean;
}

const controls = 'a[href], button, input, select, textarea';

/**
 * Makes the rows of a table one tab stop. The current row has the focus, or was the last one to have it; only its own
 * links and buttons can be reached with Tab.
 */
export function useRovingRows<Row>({ label, rows, keyOf, onOpen, isMain }: RovingRowsOptions<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const hasKeys = useStore(shortcutChoice) === 'on';
  const found = rows.findIndex((row) => keyOf(row) === current);
  const index = Math.max(found, 0);

  // Runs after every rendering, because cells can render any controls.
  useLayoutEffect(() => {
    for (const [position, row] of [...(body.current?.rows ?? [])].entries()) {
      for (const control of row.querySelectorAll<HTMLElement>(controls)) {
        if (position === index) control.removeAttribute('tabindex');
        else control.tabIndex = -1;
      }
    }
  });

  // Runs once with the first rows, so that a member who goes back continues at the same place in the list.
  const isRestored = useRef(!isMain);
  useLayoutEffect(() => {
    if (isRestored.current) return;
    isRestored.current = true;
    const place = placeInList(label);
    const position = place ? rows.findIndex((row) => keyOf(row) === place.row) : -1;
    if (!place || position < 0) return;
    body.current?.rows[position]?.focus({ preventScroll: true });
    window.scrollTo(0, place.scrolled);
  }, [label, rows, keyOf]);

  const focusRow = (position: number) => {
    const row = body.current?.rows[Math.min(Math.max(position, 0), rows.length - 1)];
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const onRowFocus = useKeptFocus(rows.map(keyOf), focusRow);
  const isInside = () => body.current?.contains(document.activeElement) ?? false;
  const enter = (step: 1 | -1) => focusRow(isInside() ? index + step : index);
  useShortcut(isMain ? { keys: 'j', name: 'Next row', group: 'In a list' } : null, () => enter(1));
  useShortcut(isMain ? { keys: 'k', name: 'Previous row', group: 'In a list' } : null, () => enter(-1));
  useShortcut(isMain && onOpen ? { keys: 'Enter', name: 'Open the row', group: 'In a list' } : null, null);

  const leaveAt = (row: Row) => {
    if (isMain) rememberPlace({ list: label, row: keyOf(row), scrolled: window.scrollY });
  };
  const onKeyDown = (event: KeyboardEvent, row: Row) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const isOnRow = event.target === event.currentTarget;
    const position = isOnRow ? positionAfter(event.key, { index, count: rows.length, hasKeys }) : null;
    if (position !== null) {
      event.preventDefault();
      focusRow(position);
    } else if (isOnRow && event.key === 'Enter' && onOpen) {
      event.preventDefault();
      leaveAt(row);
      onOpen(row);
    } else if (!isOnRow && event.key === 'Escape') {
      focusRow(index);
    }
  };

  return {
    body,
    rowProps: (row: Row) => {
      const key = keyOf(row);
      return {
        tabIndex: key === (current ?? '') || (found < 0 && row === rows[0]) ? 0 : -1,
        'data-opens': onOpen ? true : undefined,
        onFocus: () => {
          setCurrent(key);
          onRowFocus(key);
        },
        // Also runs before a link in the row is followed.
        onClickCapture: () => leaveAt(row),
        onKeyDown: (event: KeyboardEvent) => onKeyDown(event, row),
        onClick: (event: MouseEvent) => {
          const isOnControl = (event.target as Element).closest(`${controls}, label, [popover], dialog`);
          // Ignores the end of a text selection with the mouse.
          if (!isOnControl && onOpen && String(getSelection()) === '') onOpen(row);
        },
      };
    },
  };
}

/**
 * Keeps the focus in a table with changing rows. When the focused row is removed, the browser moves the focus to the
 * body; the row that takes its place then gets it, or the heading of the page after the last row.
 * @returns a function to call when a row, or an element in it, gets the focus
 */
function useKeptFocus(keys: readonly string[], focusRow: (position: number) => void): (key: string) => void {
  const focused = useRef<{ key: string; position: number } | null>(null);
  useLayoutEffect(() => {
    if (!focused.current) return;
    const position = keys.indexOf(focused.current.key);
    if (position >= 0) focused.current.position = position;
    else if (isFocusLost()) focusRow(focused.current.position);
  });
  useEffect(() => {
    const forget = () => {
      focused.current = null;
    };
    // The member has moved the focus elsewhere with the mouse.
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('pointerdown', forget);
      if (focused.current && isFocusLost()) focusHeading();
    };
  }, []);
  return (key) => {
    focused.current = { key, position: keys.indexOf(key) };
  };
}

/** Returns the position of the row that a key moves to; null if the key moves nowhere. */
export function positionAfter(
  key: string,
  { index, count, hasKeys }: { index: number; count: number; hasKeys: boolean },
): number | null {
  if (key === 'ArrowDown' || (hasKeys && key === 'j')) return Math.min(index + 1, count - 1);
  if (key === 'ArrowUp' || (hasKeys && key === 'k')) return Math.max(index - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}
