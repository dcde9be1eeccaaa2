import type { Pace } from './intervals.ts';

export interface Renewal {
  /** Everybody who is connected now is to come back. Asked for again meanwhile, it is done once more later. */
  ask(): void;
  stop(): void;
}

export interface RenewalOptions extends Pick<Pace, 'stepSize' | 'stepEvery' | 'renewalsApart'> {
  connections(): string[];
  renew(socketIds: string[]): void;
}

/**
 * Sends everybody back a part at a time: five thousand who ask anew at once would be the next fault. However often
 * something is missed, a connection is sent back once in `renewalsApart` at the most.
 */
export function createRenewal(options: RenewalOptions): Renewal {
  const { stepSize, stepEvery, renewalsApart } = options;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isAskedAgain = false;

  const after = (pause: number, next: () => void) => {
    timer = setTimeout(next, pause);
    timer.unref();
  };
  const step = () => {
    options.renew(waiting.splice(0, stepSize));
    if (waiting.length > 0) after(stepEvery, step);
    else after(renewalsApart, rest);
  };
  const rest = () => {
    timer = undefined;
    if (isAskedAgain) begin();
  };
  const begin = () => {
    isAskedAgain = false;
    waiting = options.connections();
    step();
  };

  return {
    ask: () => {
      if (timer) isAskedAgain = true;
      else begin();
    },
    stop: () => clearTimeout(timer),
  };
}
