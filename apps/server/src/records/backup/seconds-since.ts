/** @returns seconds with one decimal */
export const secondsSince = (from: Date, until: Date): string =>
  ((until.getTime() - from.getTime()) / 1_000).toFixed(1);
