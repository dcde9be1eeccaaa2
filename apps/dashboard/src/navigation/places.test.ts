import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Places } from './places.ts';

/** A history like a browser’s, in which going back and forward is asynchronous. */
class FakeHistory {
  entries: { state: Record<string, unknown> | null; url: string }[] = [];
  at = 0;
  get state() {
    return structuredClone(this.entries[this.at]?.state ?? null);
  }
  get length() {
    return this.entries.length;
  }
  get url() {
    return new URL(this.entries[this.at]?.url ?? '');
  }
  pushState(state: Record<string, unknown>, _title: string, url: string) {
    const entry = { state, url: new URL(url, this.url).href };
    this.entries.splice(this.at + 1, Number.POSITIVE_INFINITY, entry);
    this.at += 1;
  }
  replaceState(state: Record<string, unknown>, _title: string, url = '') {
    this.entries[this.at] = { state, url: new URL(url || this.url, this.url).href };
  }
  go(steps: number) {
    setTimeout(() => {
      this.at += steps;
      events.dispatchEvent(new Event('popstate'));
    });
  }
}

const history = new FakeHistory();
let events = new EventTarget();
const location = Object.defineProperties(
  {},
  Object.fromEntries(
    (['href', 'pathname', 'search', 'hash'] as const).map((name) => [name, { get: () => history.url[name] }]),
  ),
) as Location;
const tab = {
  history,
  location,
  addEventListener: (name: string, listener: () => void) => events.addEventListener(name, listener),
} as unknown as Window;
// wouter wraps the methods of the history once, when it is loaded; an earlier test file may have loaded it.
vi.resetModules();
vi.stubGlobal('window', tab);
vi.stubGlobal('history', history);
vi.stubGlobal('location', location);
vi.stubGlobal('dispatchEvent', (event: Event) => events.dispatchEvent(event));
const { createTabPlaces } = await import('./places.ts');
afterAll(() => {
  vi.unstubAllGlobals();
});

let places: Places;
let moves: string[];
beforeEach(() => {
  events = new EventTarget();
  history.entries = [{ state: null, url: 'https://app.example/' }];
  history.at = 0;
  places = createTabPlaces(tab);
  moves = [];
  places.subscribe((isNew) => moves.push(`${places.current().href}${isNew ? '' : ' again'}`));
});

/** Waits for a history that goes back, and for one that then returns. */
const settle = async () => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve));
};
const go = async (steps: number) => {
  history.go(steps);
  await settle();
};

describe('the places of a tab', () => {
  test('the places of a tab follow links, scripts, Back and Forward', async () => {
    places.open('/milestones', { state: { email: 'amelia@example.test' } });
    // Changes the history as another script would.
    history.pushState({}, '', '/payments?link=1#x');
    await go(-1);
    await go(1);
    expect(moves).toEqual([
      '/milestones',
      '/payments?link=1#x',
      '/milestones again',
      '/payments?link=1#x again',
    ]);
    await go(-1);
    expect(places.current().state.email).toBe('amelia@example.test');
  });

  test('the places of a tab keep their position in the history across a reload', async () => {
    places.open('/milestones');
    places.open('/payments', { replace: true });
    places.open('/payment');
    expect(places.current().index).toBe(2);
    await go(-1);
    expect(places.current().index).toBe(1);
    expect(createTabPlaces(tab).current().index).toBe(1);
    expect(history.entries.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/payments', '/payment']);
  });

  test('a fragment link becomes a separate entry', () => {
    history.entries.push({ state: null, url: 'https://app.example/#main' });
    history.at += 1;
    events.dispatchEvent(new Event('popstate'));
    expect(places.current()).toMatchObject({ index: 1, hash: '#main' });
  });
});

describe('a navigation that would lose something', () => {
  test('a navigation by a link waits for the client if something would be lost', () => {
    const asked: (() => void)[] = [];
    places.askBeforeLeaving(({ pathname }, leave) => {
      asked.push(leave);
      return pathname !== '/';
    });
    places.open('/milestones');
    expect([asked.length, moves]).toEqual([1, []]);
    asked[0]?.();
    expect(moves).toEqual(['/milestones']);
  });

  test('Back returns to the page until the client agrees to leave it', async () => {
    places.open('/documents/1');
    moves.length = 0;
    const asked: (() => void)[] = [];
    const stop = places.askBeforeLeaving((_next, leave) => {
      asked.push(leave);
      return true;
    });
    await go(-1);
    expect([location.pathname, places.current().pathname, moves]).toEqual([
      '/documents/1',
      '/documents/1',
      [],
    ]);
    asked[0]?.();
    await settle();
    expect([location.pathname, asked.length, moves]).toEqual(['/', 1, ['/ again']]);
    stop();
    places.open('/payments');
    expect(asked.length).toBe(1);
  });
});
