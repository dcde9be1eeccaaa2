/**
 * Measures how much longer work takes now than alone on this machine, because other processes share its processors.
 * Tests multiply their limits of time by it. It occupies the process for 30 ms of processor time.
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
