import { describe, expect, test } from 'vitest';
import { addWorkingDays, expectedClearingDay, isWorkingDay, orderDay } from './working-days.ts';

const bankHolidays = ['2026-04-03', '2026-04-06', '2026-12-25', '2026-12-28', '2028-01-03'];
const firm = { order_cutoff: '15:00', closed_on: [...bankHolidays, '2026-12-24'] };

describe('the day on which a paid search is ordered', () => {
  test.each([
    ['on a working morning', '2026-11-20T09:00:00Z', '2026-11-20'],
    ['a minute before the cut-off', '2026-11-20T14:59:59Z', '2026-11-20'],
    ['at the cut-off on a Friday', '2026-11-20T15:00:00Z', '2026-11-23'],
    ['at 11:44 pm on a Saturday', '2026-11-21T23:44:00Z', '2026-11-23'],
    ['before the cut-off in summer time', '2026-07-01T13:59:00Z', '2026-07-01'],
    ['after the cut-off in summer time', '2026-07-01T14:00:00Z', '2026-07-02'],
    ['after midnight in London, still the day before in UTC', '2026-07-01T23:30:00Z', '2026-07-02'],
    ['on the Thursday before Easter, after the cut-off', '2026-04-02T16:00:00Z', '2026-04-07'],
    ['on a day on which the firm is closed', '2026-12-24T09:00:00Z', '2026-12-29'],
    ['late on New Year’s Eve', '2027-12-31T23:59:00Z', '2028-01-04'],
  ])('a search paid %s: %s', (_when, paidAt, day) => {
    expect(orderDay(paidAt, firm)).toBe(day);
    expect(orderDay(new Date(paidAt), firm)).toBe(day);
  });
});

test('adds working days across weekends, bank holidays and days on which the firm is closed', () => {
  expect(addWorkingDays('2026-11-20', 0, [])).toBe('2026-11-20');
  expect(addWorkingDays('2026-11-21', 0, [])).toBe('2026-11-23');
  expect(addWorkingDays('2026-11-20', 3, [])).toBe('2026-11-25');
  expect(addWorkingDays('2026-12-23', 1, firm.closed_on)).toBe('2026-12-29');
  expect(addWorkingDays('2026-12-24', 3, bankHolidays)).toBe('2026-12-31');
  expect(addWorkingDays('2026-12-31', -3, bankHolidays)).toBe('2026-12-24');
  expect(addWorkingDays('2026-11-22', -1, [])).toBe('2026-11-20');
});

test('fault 50: expects card money to clear three working days after the day in London on which it was paid', () => {
  expect(expectedClearingDay('2026-11-21T23:44:00Z', [])).toBe('2026-11-25');
  expect(expectedClearingDay('2026-07-01T23:30:00Z', [])).toBe('2026-07-07');
  expect(expectedClearingDay('2026-12-23T12:00:00Z', bankHolidays)).toBe('2026-12-30');
});

test('counts every weekday that is not a closing day as a working day', () => {
  expect(isWorkingDay('2026-12-28', bankHolidays)).toBe(false);
  expect(isWorkingDay('2026-12-28', [])).toBe(true);
  expect(isWorkingDay('2026-12-27', [])).toBe(false);
});
