/** "Alder & Finch Conveyancing" → "Alder & Finch" and "Conveyancing"; a name without a kind stays whole. */
export function splitFirmName(name: string): { first: string; kind: string | null } {
  const [, first, kind] = kinds.exec(name.trim()) ?? [];
  return first && kind ? { first, kind } : { first: name.trim(), kind: null };
}

const kinds =
  /^(.+?)\s+((?:(?:Licensed|Property)\s+)?(?:Conveyancing|Conveyancers|Solicitors|Legal|Law|Lawyers)(?:\s+(?:LLP|Ltd|Limited))?)$/i;
