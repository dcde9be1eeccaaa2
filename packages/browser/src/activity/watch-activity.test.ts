import { describe, expect, test } from 'vitest';
import { watchActivity } from './watch-activity.ts';

function openTabs() {
  const clock = { now: 1_000 };
  const channels = [new EventTarget(), new EventTarget()];
  const messages: unknown[] = [];
  return {
    clock,
    messages,
    tabs: channels.map((own) => {
      const events = new EventTarget();
      const channel = Object.assign(own, {
        postMessage: (message: unknown) => {
          messages.push(message);
          for (const other of channels) if (other !== own) other.dispatchEvent(new Event('message'));
        },
      });
      const activity = watchActivity({ events, channel: channel as never, now: () => clock.now });
      return { activity, does: (name: string) => events.dispatchEvent(new Event(name)) };
    }),
  };
}

describe('activity of the client', () => {
  test('the client’s activity is consumed once', () => {
    const [tab] = openTabs().tabs;
    expect(tab?.activity.consume()).toBe(false);
    tab?.does('keydown');
    tab?.does('pointerdown');
    expect(tab?.activity.consume()).toBe(true);
    expect(tab?.activity.consume()).toBe(false);
  });

  test.each(['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'])(
    'records the time of a %s event as the client’s activity',
    (name) => {
      const { clock, tabs } = openTabs();
      clock.now = 9_000;
      expect(tabs[0]?.activity.lastAt()).toBe(1_000);
      tabs[0]?.does(name);
      expect(tabs[0]?.activity.lastAt()).toBe(9_000);
    },
  );

  test('shares the time of activity with other tabs, but not the activity itself', () => {
    const { clock, tabs } = openTabs();
    clock.now = 9_000;
    tabs[0]?.does('keydown');
    expect(tabs[1]?.activity.lastAt()).toBe(9_000);
    expect(tabs[1]?.activity.consume()).toBe(false);
  });

  test('sends at most one message every five seconds to the other tabs', () => {
    const { clock, tabs, messages } = openTabs();
    for (let second = 0; second < 20; second += 1) {
      clock.now += 1_000;
      tabs[0]?.does('pointermove');
    }
    expect(messages).toHaveLength(4);
  });
});
