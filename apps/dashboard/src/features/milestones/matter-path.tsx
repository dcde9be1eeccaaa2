import type { Matter, Milestone } from '@keyturn/contract';
import { useId } from 'react';
import { propertyAddress } from '../../api/case/property-names.ts';
import { StatusTag } from '../../ui/content/status-tag.tsx';
import { useToday } from '../../ui/format/use-today.ts';
import styles from './matter-path.module.css';
import { stagesOfMatter } from './milestone-stages.ts';
import { MilestoneStep, stepAnchor } from './milestone-step.tsx';

/** One matter from its first step to its last, under the stages of the route line. */
export function MatterPath({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const id = useId();
  const today = useToday();
  const stages = stagesOfMatter(milestones);
  return (
    <section className={styles.matter} aria-labelledby={id}>
      <MatterPathHead matter={matter} milestones={milestones} id={id} />
      {stages.length === 0 && (
        <p className={styles.nothing}>The steps of this part appear here once we have planned them.</p>
      )}
      {stages.map(({ title, position, steps }) => (
        <div key={position} className={styles.stage}>
          <h3 id={`${id}-${position}`}>{title}</h3>
          <ol className={styles.steps} aria-labelledby={`${id}-${position}`}>
            {steps.map(({ milestone, isKeyMoment }) => (
              <MilestoneStep
                key={milestone.id}
                matter={matter}
                milestone={milestone}
                isKeyMoment={isKeyMoment}
                today={today}
              />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

/** Shared with the skeleton, so that what is known already stands in its place. */
export function MatterPathHead({
  matter,
  milestones,
  id,
}: {
  matter: Matter;
  milestones: Milestone[];
  /** Of the heading. */
  id: string;
}) {
  return (
    <header className={styles.head} id={matterAnchor(matter)}>
      <p className={styles.kind}>{matterKinds[matter.matter_type]}</p>
      <h2 id={id}>{propertyAddress(matter.property)}</h2>
      <Standing matter={matter} milestones={milestones} />
    </header>
  );
}

function Standing({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const { done, total } = matter.progress;
  const now = milestones.filter(({ status }) => status === 'current' || status === 'blocked');
  return (
    <div className={styles.standing}>
      {total > 0 && <p>{done >= total ? `All ${total} steps done` : `${done} of ${total} steps done`}</p>}
      {matter.status === 'on_hold' && <StatusTag tone="held">On hold</StatusTag>}
      {matter.status === 'abandoned' && <StatusTag tone="off">Not going ahead</StatusTag>}
      {now.length > 0 && (
        <p className={styles.now}>
          Under way:{' '}
          {now.map((milestone, index) => (
            <span key={milestone.id}>
              {index > 0 && ', '}
              <a href={`#${stepAnchor(milestone)}`}>{milestone.title}</a>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

export const matterAnchor = ({ id }: Matter): string => `matter-${id}`;

export const matterKinds: Record<Matter['matter_type'], string> = {
  sale: 'Selling',
  purchase: 'Buying',
  remortgage: 'Remortgaging',
  'transfer-of-equity': 'Changing the owners of',
};
