/**
 * Lists the days that a date with a short year, such as `27/11/26`, can mean: with the day, the month or the year first.
 * @returns them as `YYYY-MM-DD`; none for another text
 */
export function meaningsOfShortDay(text: string): string[] {
  const parts = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{2})$/.exec(text.trim())?.slice(1).map(Number);
  if (!parts) return [];
  const [first = 0, second = 0, third = 0] = parts;
  const written: [year: number, month: number, day: number][] = [
    [third, second, first],
    [third, first, second],
    [first, second, third],
  ];
  const days = written.flatMap(([year, month, day]) => {
    const date = new Date(Date.UTC(2000 + year, month - 1, day));
    const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
    return isReal ? date.toISOString().slice(0, 10) : [];
  });
  return [...new Set(days)];
}
