/**
 * Measures how much slower this machine is now than when idle, because other processes share its processors. Tests
 * multiply their time limits by it. It occupies the process for 30 ms of processor time.
 * @returns at least 1
 */
export function measureSlowness(): number {
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  let used = 0;
  while (used < 30) {
    const { user, system } = process.cpuUsage(usedBefore);
    used = (user + system) / 1_000;
  }
  return Math.max(1, (performance.now() - startedAt) / used);
}
