/** Reads a text with one item on each line, without the spaces and empty lines that people leave. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
