import * as anyFirm from '@keyturn/format/working-days';
import { bankHolidays } from './bank-holidays.ts';

/* The working days of the demonstration: its firm is closed on bank holidays only. */

export const isWorkingDay = (day: string): boolean => anyFirm.isWorkingDay(day, bankHolidays);

export const addWorkingDays = (day: string, count: number): string =>
  anyFirm.addWorkingDays(day, count, bankHolidays);
