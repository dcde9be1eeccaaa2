/**
 * Splits a firm's name into its own name and its kind of business: "Alder & Finch Conveyancing" becomes
 * "Alder & Finch" and "Conveyancing".
 * @returns the whole name and a null kind if the name does not end in a known kind of business
 */
export function splitFirmName(name: string): { first: string; kind: string | null } {
  const [, first, kind] = kinds.exec(name.trim()) ?? [];
  return first && kind ? { first, kind } : { first: name.trim(), kind: null };
}

const kinds =
  /^(.+?)\s+((?:(?:Licensed|Property)\s+)?(?:Conveyancing|Conveyancers|Solicitors|Legal|Law|Lawyers)(?:\s+(?:LLP|Ltd|Limited))?)$/i;
