/** A type guard for values from outside. It ignores additional fields and rejects missing ones. */
export type Check<T> = (value: unknown) => value is T;

export const isString: Check<string> = (value) => typeof value === 'string';
export const isBoolean: Check<boolean> = (value) => typeof value === 'boolean';
export const isNumber: Check<number> = (value): value is number =>
  typeof value === 'number' && Number.isFinite(value);
export const isInteger: Check<number> = (value): value is number => Number.isSafeInteger(value);

/** An ISO 8601 timestamp that `Date` can parse. */
export const isInstant: Check<string> = (value): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));

/** An existing calendar day, `YYYY-MM-DD`. */
export const isDay: Check<string> = (value): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(`${value}T00:00:00Z`).toISOString().startsWith(value);

export const isOneOf =
  <const Word extends string | number | boolean>(words: readonly Word[]): Check<Word> =>
  (value): value is Word =>
    (words as readonly unknown[]).includes(value);

export const isNullOr =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

/** Accepts every value: for fields that their readers check. */
export const isAnything: Check<unknown> = (_value): _value is unknown => true;

export const isAnyOf =
  <T>(checks: readonly Check<T>[]): Check<T> =>
  (value): value is T =>
    checks.some((check) => check(value));

export const isArrayOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check);

/** An object that has at least these fields itself, not through its prototype. */
export function isObjectOf<T extends object>(fields: { [Name in keyof T]-?: Check<T[Name]> }): Check<T> {
  const entries = Object.entries(fields) as [string, Check<unknown>][];
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    entries.every(
      ([name, check]) => Object.hasOwn(value, name) && check((value as Record<string, unknown>)[name]),
    );
}

/** An object in which all own fields pass the check, regardless of their names. */
export const isRecordOf =
  <T>(check: Check<T>): Check<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isObjectOf({})(value) && Object.values(value).every(check);

/** An object that has at least the first fields itself. The others are checked if they are there. */
export function isObjectWith<T extends object, Optional extends object>(
  fields: { [Name in keyof T]-?: Check<T[Name]> },
  optional: { [Name in keyof Optional]-?: Check<Optional[Name]> },
): Check<T & Partial<Optional>> {
  const hasFields = isObjectOf(fields);
  const entries = Object.entries(optional) as [string, Check<unknown>][];
  return (value): value is T & Partial<Optional> =>
    hasFields(value) &&
    entries.every(([name, check]) => {
      const field = (value as Record<string, unknown>)[name];
      return field === undefined || check(field);
    });
}
