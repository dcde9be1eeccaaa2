/** Where an entry leads to within the dashboard, and what is there; null for an address of anywhere else. */
export function entryLink(link: string | null): { path: string; words: string } | null {
  if (link === null || !/^\/(?![/\\])[\w\-./]*$/.test(link)) return null;
  return { path: link, words: places.find(([start]) => link.startsWith(start))?.[1] ?? 'See your case' };
}

const places = [
  ['/documents/', 'See the document'],
  ['/payment', 'See your payments'],
  ['/milestones', 'See the milestones'],
] as const;
