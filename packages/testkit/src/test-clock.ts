/** A clock that stands still until a test moves it. Call it for the time, as the product does. */
export interface TestClock {
  (): Date;
  /** Milliseconds; negative goes back. */
  advance(milliseconds: number): void;
  set(instant: Date | string): void;
}

export function createTestClock(start: Date | string = new Date()): TestClock {
  let now = new Date(start).getTime();
  const clock = (() => new Date(now)) as TestClock;
  clock.advance = (milliseconds) => {
    now += milliseconds;
  };
  clock.set = (instant) => {
    now = new Date(instant).getTime();
  };
  return clock;
}

/** A clock that goes on by itself, and that a test moves besides. */
export function createRunningClock(): TestClock {
  let ahead = 0;
  const clock = (() => new Date(Date.now() + ahead)) as TestClock;
  clock.advance = (milliseconds) => {
    ahead += milliseconds;
  };
  clock.set = (instant) => {
    ahead = new Date(instant).getTime() - Date.now();
  };
  return clock;
}
