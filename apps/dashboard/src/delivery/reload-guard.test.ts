import { describe, expect, test } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../fixtures/fake-browser.ts';
import { createReloadGuard } from './reload-guard.ts';

/** The entry of a tab's history: what is noted in it outlives a reload. */
class SampleEntry {
  state: unknown = { __TSR_key: 'x' };
  replaceState(state: unknown) {
    this.state = state;
  }
}

function openTab({ closed = false, entry = new SampleEntry() } = {}) {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const parts = createFakeBrowser().openTab();
  const session = parts.sessionStorage();
  if (closed) Object.assign(session, { closed: true });
  /** As after each load of the page: the memory is new, the storage and the history are not. */
  const load = () => createReloadGuard(openFakeState('session', parts), entry, () => now);
  return {
    load,
    entry,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    go: () => {
      entry.state = { __TSR_key: 'y' };
    },
  };
}

describe('loading a page anew by itself', () => {
  test('delivery 1: happens once for each path in ten seconds, whatever fails in between', () => {
    const tab = openTab();
    expect(tab.load().claim('/a')).toBe(true);
    tab.go();
    expect(tab.load().claim('/b')).toBe(true);
    tab.go();
    expect(tab.load().claim('/a')).toBe(false);
    tab.go();
    expect(tab.load().claim('/b')).toBe(false);
    tab.wait(10_000);
    expect(tab.load().claim('/a')).toBe(true);
  });

  test('delivery 2: happens once where the tab has no storage, by what its history says', () => {
    const tab = openTab({ closed: true });
    expect(tab.load().claim('/a')).toBe(true);
    expect(tab.load().claim('/a')).toBe(false);
    expect(tab.entry.state).toMatchObject({ __TSR_key: 'x' });
  });

  test('delivery 2: does not happen where nothing at all can be noted', () => {
    class Closed extends SampleEntry {
      override replaceState() {
        throw new DOMException('closed', 'SecurityError');
      }
    }
    expect(openTab({ closed: true, entry: new Closed() }).load().claim('/a')).toBe(false);
  });

  test('delivery 10: is not held up by a clock that was put back', () => {
    const tab = openTab();
    expect(tab.load().claim('/a')).toBe(true);
    tab.wait(-3_600_000);
    expect(tab.load().claim('/a')).toBe(true);
  });
});
