import { InvalidArgumentError } from 'commander';

/**
 * Parses a day of a command's option.
 * @returns the day as it was given, such as `2026-11-01`
 */
export function parseDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Node.js reads 31 November as 1 December.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw new InvalidArgumentError('It must be a day such as 2026-11-01.');
  return text;
}

/** Parses a day of a command's option to its first moment in UTC. */
export const parseStartOfDay = (text: string): Date => new Date(`${parseDay(text)}T00:00:00Z`);
