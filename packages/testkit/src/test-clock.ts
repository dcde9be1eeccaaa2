/** A clock that a test controls. Call it for the current time, as the product does. */
export interface TestClock {
  (): Date;
  /** @param milliseconds negative to go back */
  advance(milliseconds: number): void;
  set(instant: Date | string): void;
}

/** Creates a clock that does not move until the test moves it. */
export function createTestClock(start: Date | string = new Date()): TestClock {
  let time = new Date(start).getTime();
  const clock = (() => new Date(time)) as TestClock;
  clock.advance = (milliseconds) => {
    time += milliseconds;
  };
  clock.set = (instant) => {
    time = new Date(instant).getTime();
  };
  return clock;
}

/** Creates a clock that runs at normal speed, and that a test can move as well. */
export function createRunningClock(): TestClock {
  let offset = 0;
  const clock = (() => new Date(Date.now() + offset)) as TestClock;
  clock.advance = (milliseconds) => {
    offset += milliseconds;
  };
  clock.set = (instant) => {
    offset = new Date(instant).getTime() - Date.now();
  };
  return clock;
}
