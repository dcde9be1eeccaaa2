/** "Tom is here too", "Priya and Tom are here too" or "Priya, Tom and 2 more are here too"; null without names. */
export function presenceText(firstNames: readonly string[]): string | null {
  const [first, second] = firstNames;
  if (first === undefined) return null;
  if (second === undefined) return `${first} is here too`;
  const more = firstNames.length - 2;
  return more === 0
    ? `${first} and ${second} are here too`
    : `${first}, ${second} and ${more} more are here too`;
}
