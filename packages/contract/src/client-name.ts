/** A client's name as the firm has it. */
export interface ClientName {
  first_name: string;
  last_name: string;
}

/**
 * Whether what somebody typed is their own name. Whatever stands between, and however letters are marked: the first
 * word of the first name and the whole last name are in it.
 */
export function matchesClientName(typed: string, { first_name, last_name }: ClientName): boolean {
  const letters = folded(typed);
  const [first = ''] = first_name.trim().split(/\s+/);
  return letters.includes(folded(first)) && letters.includes(folded(last_name));
}

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]/gu, '')
    .toLocaleLowerCase('en-GB');
