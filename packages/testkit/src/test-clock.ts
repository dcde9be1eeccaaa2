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
