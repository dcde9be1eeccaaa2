import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { followKeys, keepEarlyKeys, registerShortcut, shortcuts } from './shortcuts.ts';

/**
 * The parts of an element that shortcuts use: the selectors it matches, and whether it is in an open modal dialog.
 */
class FakeElement extends EventTarget {
  readonly matches: string;
  readonly ownerDocument = { querySelector: () => (isModal ? {} : null) };
  constructor(matches = '') {
    super();
    this.matches = matches;
  }
  closest(selector: string) {
    return this.matches !== '' && selector.includes(this.matches) ? this : null;
  }
}

let isModal: boolean;
let isOn: boolean;
let page: EventTarget;
let stop: () => void;
const ran: string[] = [];
const shortcut = (keys: string) => ({
  keys,
  name: keys,
  group: 'Everywhere' as const,
  run: () => void ran.push(keys),
});

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement);
  isModal = false;
  isOn = true;
  ran.length = 0;
  page = new EventTarget();
  shortcuts.set([shortcut('g t'), shortcut('g c'), shortcut('c'), shortcut('?')]);
  stop = followKeys(page as Document, () => isOn);
});
afterEach(() => {
  stop();
  shortcuts.set([]);
  vi.unstubAllGlobals();
});

function press(
  key: string,
  { on = new FakeElement(), ...more }: { on?: EventTarget } & Partial<KeyboardEvent> = {},
) {
  const event = new Event('keydown', { cancelable: true });
  for (const [name, value] of Object.entries({ key, target: on, ...more }))
    Object.defineProperty(event, name, { value });
  page.dispatchEvent(event);
  return event;
}

describe('keyboard shortcuts', () => {
  test('keyboard shortcuts run a single key and a sequence of two keys', () => {
    press('g');
    press('c');
    press('c');
    expect(press('?').defaultPrevented).toBe(true);
    expect(ran).toEqual(['g c', 'c', '?']);
  });

  test('keyboard shortcuts forget the first key of a sequence after a while', () => {
    press('g', { timeStamp: 1_000 });
    press('c', { timeStamp: 2_600 });
    expect(ran).toEqual(['c']);
  });

  test.each(['textarea', 'select', '[contenteditable]', '[popover]', 'input:not('])(
    'keyboard shortcuts do nothing while the focus is in %s',
    (matches) => {
      expect(press('c', { on: new FakeElement(matches) }).defaultPrevented).toBe(false);
      expect(ran).toEqual([]);
    },
  );

  test('keyboard shortcuts do nothing with Ctrl, Alt or the command key, in an open dialog, or while they are turned off', () => {
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey', 'isComposing']) press('c', { [modifier]: true });
    isModal = true;
    press('c');
    isModal = false;
    isOn = false;
    press('c');
    expect(ran).toEqual([]);
  });

  test('keyboard shortcuts run once a page has loaded, if the key was pressed meanwhile', () => {
    const loaded = keepEarlyKeys();
    press('u');
    press('n');
    registerShortcut(shortcut('u'));
    expect(ran).toEqual([]);
    registerShortcut(shortcut('n'));
    registerShortcut(shortcut('n'));
    expect(ran).toEqual(['n']);
    loaded();
    press('d');
    registerShortcut(shortcut('d'));
    expect(ran).toEqual(['n']);
  });

  test('keyboard shortcuts run the last component’s shortcut for a key, and none that is only listed', () => {
    const listed = { ...shortcut('c'), run: null };
    shortcuts.set([...shortcuts.get(), { ...shortcut('c'), run: () => void ran.push('latest') }, listed]);
    press('c');
    expect(ran).toEqual(['latest']);
  });
});
