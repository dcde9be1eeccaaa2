import type { Matter, Milestone } from '@keyturn/contract';
import { useId } from 'react';
import { matterActivities } from '../../api/case/matter-types.ts';
import { propertyAddress } from '../../api/case/property-names.ts';
import { StatusTag } from '../../ui/content/status-tag.tsx';
import { useToday } from '../../ui/format/use-today.ts';
import { groupByStage } from './group-by-stage.ts';
import styles from './matter-path.module.css';
import { MilestoneStep, stepAnchor } from './milestone-step.tsx';

/** All steps of one matter, grouped by stage. */
export function MatterPath({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const id = useId();
  const today = useToday();
  const stages = groupByStage(milestones);
  return (
    <section className={styles.matter} aria-labelledby={id}>
      <MatterPathHead matter={matter} milestones={milestones} id={id} />
      {stages.length === 0 && (
        <p className={styles.empty}>The steps of this part appear here once we’ve planned them.</p>
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

/** The heading of a matter, which the skeleton shows too. */
export function MatterPathHead({
  matter,
  milestones,
  id,
}: {
  matter: Matter;
  milestones: Milestone[];
  /** The id of the heading. */
  id: string;
}) {
  return (
    <header className={styles.head} id={matterAnchor(matter)}>
      <p className={styles.matterType}>{matterActivities[matter.matter_type]}</p>
      <h2 id={id}>{propertyAddress(matter.property)}</h2>
      <Progress matter={matter} milestones={milestones} />
    </header>
  );
}

function Progress({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const { total } = matter.progress;
  const underWay = milestones.filter(({ status }) => status === 'current' || status === 'blocked');
  return (
    <div className={styles.progress}>
      {total > 0 && <p>{stepsDoneText(matter)}</p>}
      {matter.status === 'on_hold' && <StatusTag tone="held">On hold</StatusTag>}
      {matter.status === 'abandoned' && <StatusTag tone="off">Not going ahead</StatusTag>}
      {underWay.length > 0 && (
        <p className={styles.underWay}>
          Under way:{' '}
          {underWay.map((milestone, index) => (
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

/** The fragment id of a matter on this page. */
export const matterAnchor = ({ id }: Matter): string => `matter-${id}`;

/** "3 of 20 steps done". */
export function stepsDoneText({ progress: { done, total } }: Matter): string {
  return done >= total ? `All ${total} steps done` : `${done} of ${total} steps done`;
}
