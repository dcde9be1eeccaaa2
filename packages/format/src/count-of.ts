/** Writes a number of things: "1 movement", "2 movements", "0 movements". */
export const countOf = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
