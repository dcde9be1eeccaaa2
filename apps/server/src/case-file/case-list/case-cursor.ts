import type { CaseSort } from '@keyturn/contract/staff';
import { DomainError } from '../../platform/domain-error.ts';

/** The position of a case in a list: the values by which the list is sorted. */
export interface CasePlace {
  /** The promised day or the time of the last update, as PostgreSQL writes it; empty in an order by reference. */
  value: string;
  reference: string;
}

/** Encodes a position as the contract’s cursor. It is valid only for the same order. */
export const toCursor = (sort: CaseSort, { value, reference }: CasePlace): string =>
  Buffer.from(JSON.stringify([sort, value, reference])).toString('base64url');

/** @throws DomainError `invalid_input` for a cursor of another order, or one that Keyturn did not create */
export function toPlace(sort: CaseSort, cursor: string): CasePlace {
  try {
    const [of, value, reference] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isPlace = of === sort && typeof value === 'string' && typeof reference === 'string';
    if (isPlace && isValue[sort](value) && !reference.includes('\0') && reference.isWellFormed())
      return { value, reference };
  } catch {
    // Answered like any other text that is not a cursor.
  }
  throw new DomainError('invalid_input', { errors: { after: ['is not a position in this list'] } });
}

const isDay = (value: string) => {
  const time = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};
const isTime = (value: string) =>
  value === '-infinity' ||
  (isDay(value.slice(0, 10)) && /^ ([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}\+00$/.test(value.slice(10)));

const isValue: Record<CaseSort, (value: string) => boolean> = {
  promise: (value) => value === 'infinity' || isDay(value),
  last_update: isTime,
  '-last_update': isTime,
  reference: (value) => value === '',
  '-reference': (value) => value === '',
};
