/** The name of a client in the firm's records. */
export interface ClientName {
  first_name: string;
  last_name: string;
}

/**
 * Whether a typed name is the name of a client: it contains the first word of their first name and their whole last
 * name. Ignores case, accents, spaces and punctuation.
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
