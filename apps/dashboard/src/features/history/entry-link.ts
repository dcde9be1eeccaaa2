import type { Path } from '../../navigation/paths.ts';

/**
 * Returns the dashboard path that a history entry links to, with a label.
 * @returns null for an address outside the dashboard
 */
export function entryLink(link: string | null): { path: Path; label: string } | null {
  if (link === null || !/^\/(?![/\\])[\w\-./]*$/.test(link)) return null;
  // A former path of a screen is not one of the dashboard’s paths, but leads to one.
  return {
    path: link as Path,
    label: labels.find(([start]) => link.startsWith(start))?.[1] ?? 'See your case',
  };
}

/** Labels by the start of the path. */
const labels = [
  ['/documents/', 'See the document'],
  ['/payment', 'See your payments'],
  ['/milestones', 'See the milestones'],
] as const;
