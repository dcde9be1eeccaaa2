/**
 * The bank holidays of England and Wales with their substitute days, as published at https://www.gov.uk/bank-holidays.
 * To extend the list, add a whole year: days of later years count as unknown.
 */
export const bankHolidays: readonly string[] = [
  ...[
    '2025-01-01',
    '2025-04-18',
    '2025-04-21',
    '2025-05-05',
    '2025-05-26',
    '2025-08-25',
    '2025-12-25',
    '2025-12-26',
  ],
  ...[
    '2026-01-01',
    '2026-04-03',
    '2026-04-06',
    '2026-05-04',
    '2026-05-25',
    '2026-08-31',
    '2026-12-25',
    '2026-12-28',
  ],
  ...[
    '2027-01-01',
    '2027-03-26',
    '2027-03-29',
    '2027-05-03',
    '2027-05-31',
    '2027-08-30',
    '2027-12-27',
    '2027-12-28',
  ],
  ...[
    '2028-01-03',
    '2028-04-14',
    '2028-04-17',
    '2028-05-01',
    '2028-05-29',
    '2028-08-28',
    '2028-12-25',
    '2028-12-26',
  ],
];

/** The last day for which the bank holidays are known. */
export const bankHolidaysEnd = `${bankHolidays.at(-1)?.slice(0, 4)}-12-31`;
