import { describe, expect, test } from 'vitest';
import { watchActivity } from './activity.ts';

function openTabs() {
  const clock = { now: 1_000 };
  const channels = [new EventTarget(), new EventTarget()];
  const said: unknown[] = [];
  return {
    clock,
    said,
    tabs: channels.map((own) => {
      const events = new EventTarget();
      const channel = Object.assign(own, {
        postMessage: (message: unknown) => {
          said.push(message);
          for (const other of channels) if (other !== own) other.dispatchEvent(new Event('message'));
        },
      });
      const activity = watchActivity({ events, channel: channel as never, now: () => clock.now });
      return { activity, does: (sign: string) => events.dispatchEvent(new Event(sign)) };
    }),
  };
}

describe('what the client does', () => {
  test('counts once, for the next request', () => {
    const [tab] = openTabs().tabs;
    expect(tab?.activity.consume()).toBe(false);
    tab?.does('keydown');
    tab?.does('pointerdown');
    expect(tab?.activity.consume()).toBe(true);
    expect(tab?.activity.consume()).toBe(false);
  });

  test.each(['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'])('is dated: %s', (sign) => {
    const { clock, tabs } = openTabs();
    clock.now = 9_000;
    expect(tabs[0]?.activity.lastAt()).toBe(1_000);
    tabs[0]?.does(sign);
    expect(tabs[0]?.activity.lastAt()).toBe(9_000);
  });

  test('is known in the other tabs, which then ask for nothing on its account', () => {
    const { clock, tabs } = openTabs();
    clock.now = 9_000;
    tabs[0]?.does('keydown');
    expect(tabs[1]?.activity.lastAt()).toBe(9_000);
    expect(tabs[1]?.activity.consume()).toBe(false);
  });

  test('is told to the other tabs now and then, not at every touch', () => {
    const { clock, tabs, said } = openTabs();
    for (let second = 0; second < 20; second += 1) {
      clock.now += 1_000;
      tabs[0]?.does('pointermove');
    }
    expect(said).toHaveLength(4);
  });
});
