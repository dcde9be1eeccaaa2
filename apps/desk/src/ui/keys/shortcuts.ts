import { createStore } from '@keyturn/browser/store/create-store.ts';
import { useEffect, useRef } from 'react';
import { openChoice, shortcutChoices } from '../../api/preferences.ts';

/** Whether single keys work as shortcuts in this browser (WCAG 2.1.4). */
export const shortcutChoice = openChoice('shortcuts', shortcutChoices);

export interface Shortcut {
  /** A key such as `?` or `j`, or two keys to press one after the other: `g t`. */
  keys: string;
  /** The description for the overview: “Go to Today”. */
  name: string;
  group: 'Everywhere' | 'On this page' | 'In a list';
}

interface RegisteredShortcut extends Shortcut {
  /** Null: the component that has the focus handles the key itself. */
  run: (() => void) | null;
}

/** The shortcuts that work now, in the order in which components have registered them. */
export const shortcuts = createStore<readonly RegisteredShortcut[]>([]);

/**
 * Registers a shortcut while the component is shown. Shortcuts do not run while the member types or a dialog is open.
 * If several have the same keys, the last one runs.
 * @param shortcut null: none for now
 * @param run null: only listed in the overview, because the component that has the focus handles the key itself
 */
export function useShortcut(shortcut: Shortcut | null, run: (() => void) | null): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  const { keys, name, group } = shortcut ?? {};
  const isListedOnly = run === null;
  useEffect(() => {
    if (!keys || !name || !group) return;
    return registerShortcut({ keys, name, group, run: isListedOnly ? null : () => latest.current?.() });
  }, [keys, name, group, isListedOnly]);
}

/**
 * Registers a shortcut, and runs it if its key was pressed while this page was loading.
 * @returns a function that removes it
 */
export function registerShortcut(registered: RegisteredShortcut): () => void {
  shortcuts.set([...shortcuts.get(), registered]);
  if (registered.run && registered.keys === earlyKey?.key) {
    const { at } = earlyKey;
    earlyKey = null;
    if (performance.now() - at < earlyKeyTime) registered.run();
  }
  return () => shortcuts.set(shortcuts.get().filter((other) => other !== registered));
}

/** The time, in milliseconds, for which a pressed key waits for its page. */
const earlyKeyTime = 5_000;

/** The last key that was pressed without effect while a page was loading. */
let earlyKey: { key: string; at: number } | null = null;
let loadingPages = 0;

/** Keeps a pressed key while a page is loading, because members who know the keys are faster than the network. */
export function keepEarlyKeys(): () => void {
  loadingPages += 1;
  return () => {
    loadingPages -= 1;
  };
}

/** Milliseconds between the two keys of a sequence. */
const sequenceTime = 1_500;

/** Starts to run shortcuts. @returns a function that stops it */
export function followKeys(target: Document, isOn = () => shortcutChoice.get() === 'on'): () => void {
  let first: { key: string; at: number } | null = null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOn() || isForSomethingElse(event)) {
      first = null;
      return;
    }
    const started = first && event.timeStamp - first.at < sequenceTime ? `${first.key} ` : '';
    first = null;
    earlyKey = null;
    const found = findShortcut(started + event.key) ?? findShortcut(event.key);
    if (found?.run) {
      event.preventDefault();
      found.run();
    } else if (shortcuts.get().some(({ keys }) => keys.startsWith(`${event.key} `))) {
      first = { key: event.key, at: event.timeStamp };
    } else if (loadingPages > 0) {
      earlyKey = { key: event.key, at: performance.now() };
    }
  };
  target.addEventListener('keydown', onKeyDown);
  return () => target.removeEventListener('keydown', onKeyDown);
}

const findShortcut = (keys: string) =>
  shortcuts.get().findLast((shortcut) => shortcut.run && shortcut.keys === keys);

function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.ownerDocument.querySelector('dialog:modal')) return true;
  return target.closest(`[popover], textarea, select, [contenteditable], ${typingInputs}`) !== null;
}

const typingInputs =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"])';
