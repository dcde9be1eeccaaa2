import { InvalidArgumentError } from 'commander';

/** Parses a name of 1 to 200 characters, without spaces around it. */
export function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  return name;
}

/** Parses a reason of 1 to 500 characters, without spaces around it. */
export function parseReason(text: string): string {
  const reason = text.trim();
  if (reason === '' || reason.length > 500)
    throw new InvalidArgumentError('It must have 1 to 500 characters.');
  return reason;
}

/** Parses whole hours, up to 30 days. */
export function parseHours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720)
    throw new InvalidArgumentError('It must be a number of hours from 0 to 720.');
  return Number(text);
}

/** Parses `all`, or names separated by commas. @returns the named options, in the order of the choices */
export function parseChoices<Choice extends string>(text: string, offered: readonly Choice[]): Choice[] {
  const names: readonly string[] = text === 'all' ? offered : text.split(',').map((name) => name.trim());
  const chosen = offered.filter((choice) => names.includes(choice));
  if (chosen.length < new Set(names).size)
    throw new InvalidArgumentError(`It must be all, or some of ${offered.join(', ')}, separated by commas.`);
  return chosen;
}
