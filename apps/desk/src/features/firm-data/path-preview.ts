import type { PathPreview } from '@keyturn/contract/staff';

export const countMatters = (count: number): string =>
  count === 1 ? '1 running matter' : `${count.toLocaleString('en-GB')} running matters`;

/** Lists the matters that keep their path, with the reason. */
export function describeKept({ keeping, used }: Pick<PathPreview, 'keeping' | 'used'>): string {
  const steps = used.map(({ title }) => `“${title}”`).join(', ');
  return keeping === 1
    ? `1 running matter keeps its path, because it has used a step that the path no longer has: ${steps}.`
    : `${countMatters(keeping)} keep their path, because they have used steps that the path no longer has: ${steps}.`;
}

interface DescribedChanges {
  heading: string;
  steps: { key: string; text: string }[];
}

/** Describes the changes. Kinds of changes without a step are left out. */
export function describePathChanges({ added, removed, changed }: PathPreview): DescribedChanges[] {
  const inMatters = (matters: number) => (matters === 1 ? 'in 1 matter' : `in ${matters} matters`);
  return [
    {
      heading: 'New steps',
      steps: added.map(({ key, title, matters, passed }) => ({
        key,
        text: `${title}, ${inMatters(matters)}${
          passed > 0
            ? `; as not needed ${inMatters(passed)} that ${passed === 1 ? 'has' : 'have'} reached a later step`
            : ''
        }`,
      })),
    },
    { heading: 'Steps that are removed', steps: removed.map(textOf) },
    { heading: 'Steps with changed texts, durations or positions', steps: changed.map(textOf) },
  ].filter(({ steps }) => steps.length > 0);

  function textOf({ key, title, matters }: PathPreview['removed'][number]) {
    return { key, text: `${title}, ${inMatters(matters)}` };
  }
}
