import { describe, expect, test } from 'vitest';
import { createFakeBrowser, openFakeState } from '../../fixtures/fake-browser.ts';
import { createReloadGuard } from './reload-guard.ts';

/** A tab's history entry, whose state survives a reload. */
class FakeHistoryEntry {
  state: unknown = { index: 4 };
  replaceState(state: unknown) {
    this.state = state;
  }
}

function openTab({ closed = false, entry = new FakeHistoryEntry() } = {}) {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const parts = createFakeBrowser().openTab();
  const session = parts.sessionStorage();
  if (closed) Object.assign(session, { closed: true });
  /** Loads the page again: memory is lost, storage and history stay. */
  const load = () => createReloadGuard(openFakeState('session', parts), entry, () => now);
  return {
    load,
    entry,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    navigate: () => {
      entry.state = { index: 5 };
    },
  };
}

describe('the reload guard', () => {
  test('fault 54: allows one automatic reload for each path in 10 seconds, whatever fails in between', () => {
    const tab = openTab();
    expect(tab.load().claim('/a')).toBe(true);
    tab.navigate();
    expect(tab.load().claim('/b')).toBe(true);
    tab.navigate();
    expect(tab.load().claim('/a')).toBe(false);
    tab.navigate();
    expect(tab.load().claim('/b')).toBe(false);
    tab.advance(10_000);
    expect(tab.load().claim('/a')).toBe(true);
  });

  test('allows one automatic reload without storage, recorded in the history entry', () => {
    const tab = openTab({ closed: true });
    expect(tab.load().claim('/a')).toBe(true);
    expect(tab.load().claim('/a')).toBe(false);
    expect(tab.entry.state).toMatchObject({ index: 4 });
  });

  test('allows no automatic reload when neither storage nor history can record it', () => {
    class ClosedHistoryEntry extends FakeHistoryEntry {
      override replaceState() {
        throw new DOMException('closed', 'SecurityError');
      }
    }
    expect(openTab({ closed: true, entry: new ClosedHistoryEntry() }).load().claim('/a')).toBe(false);
  });

  test('fault 48: allows an automatic reload after the clock was set back', () => {
    const tab = openTab();
    expect(tab.load().claim('/a')).toBe(true);
    tab.advance(-3_600_000);
    expect(tab.load().claim('/a')).toBe(true);
  });
});
