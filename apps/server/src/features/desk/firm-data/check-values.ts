import type { BankHoliday, CatalogueSearch } from '@keyturn/contract/staff';
import { DomainError } from '../../../platform/domain-error.ts';

/* What a value must fulfil besides its schema. */

/** Puts bank holidays in the order of their days. @throws DomainError `invalid_input` if a day is there twice */
export function checkBankHolidays(holidays: BankHoliday[]): BankHoliday[] {
  refuseDuplicates(holidays, 'day');
  return [...holidays].sort((left, right) => (left.day < right.day ? -1 : 1));
}

/** @throws DomainError `invalid_input` if a code is there twice, or a duration ends before it starts */
export function checkSearchCatalogue(searches: CatalogueSearch[]): CatalogueSearch[] {
  refuseDuplicates(searches, 'code');
  for (const [index, { usual_working_days: usual, vat_rate }] of searches.entries()) {
    if (usual && usual.from > usual.to)
      throw invalid(`value.${index}.usual_working_days.to`, 'must not be less than from');
    // The rate of a search on a case is stored with two digits.
    if (Math.abs(vat_rate * 100 - Math.round(vat_rate * 100)) > 1e-6)
      throw invalid(`value.${index}.vat_rate`, 'must not have more than two digits after the point');
  }
  return searches;
}

function refuseDuplicates<Field extends string>(
  members: readonly Record<Field, string>[],
  field: Field,
): void {
  const known = new Set<string>();
  for (const [index, member] of members.entries()) {
    if (known.has(member[field])) throw invalid(`value.${index}.${field}`, 'is in the list twice');
    known.add(member[field]);
  }
}

const invalid = (field: string, problem: string) =>
  new DomainError('invalid_input', { errors: { [field]: [problem] } });
