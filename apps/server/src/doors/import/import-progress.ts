import type { Clock } from '../../platform/clock.ts';

/** Shows the progress of an import. */
export interface ImportProgress {
  show(done: number, total: number): void;
  /** Removes the progress from a terminal, so that other lines can be printed. */
  clear(): void;
}

/** Milliseconds between two updates: of the line on a terminal, and between lines in a log. */
const intervals = { terminal: 200, log: 10_000 };

/**
 * Shows progress with the rate of the last half minute and the estimated time left: on a terminal in one line that is
 * rewritten, elsewhere in a log line every ten seconds.
 * @param write receives text, with line ends
 * @param things what is counted
 */
export function createImportProgress(
  clock: Clock,
  { isTerminal, write }: { isTerminal: boolean; write: (text: string) => void },
  things = 'records',
): ImportProgress {
  const samples: { at: number; done: number }[] = [{ at: clock().getTime(), done: 0 }];
  let shownAt = isTerminal ? 0 : clock().getTime();
  let isShown = false;
  return {
    show: (done, total) => {
      const at = clock().getTime();
      if (at - shownAt < intervals[isTerminal ? 'terminal' : 'log']) return;
      shownAt = at;
      samples.push({ at, done });
      while ((samples[1]?.at ?? at) < at - measuredFor) samples.shift();
      const line = describeProgress(samples[0] ?? { at, done: 0 }, { at, done }, `${total} ${things}`, total);
      write(isTerminal ? `\r\x1b[K${line}` : `${line}\n`);
      isShown = isTerminal;
    },
    clear: () => {
      if (isShown) write('\r\x1b[K');
      isShown = false;
    },
  };
}

const measuredFor = 30_000;

function describeProgress(
  from: { at: number; done: number },
  { at, done }: { at: number; done: number },
  all: string,
  total: number,
): string {
  const perSecond = ((done - from.done) * 1_000) / Math.max(1, at - from.at);
  const share = Math.floor((100 * done) / Math.max(1, total));
  const progress = `${done} of ${all} (${share} %), ${Math.round(perSecond)} per second`;
  return perSecond > 0 ? `${progress}, ${formatDuration((total - done) / perSecond)} left` : progress;
}

function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  if (minutes === 0) return `${rest} s`;
  return minutes < 60 ? `${minutes} min ${rest} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
