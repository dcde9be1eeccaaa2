import { isClosed, type Matter, type Milestone } from '@keyturn/contract';
import { matterActivities, matterStatusTexts } from '@keyturn/format/matter-names';
import { propertyAddress } from '@keyturn/format/property-names';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useMedia } from '@keyturn/ui/hooks/use-media.ts';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useId } from 'react';
import { Disclosure } from '../../ui/content/disclosure.tsx';
import {
  countSteps,
  groupByStage,
  type MilestoneStage,
  type PathSection,
  type Step,
  type StepRun,
  splitPath,
  splitSteps,
} from './group-by-stage.ts';
import styles from './matter-path.module.css';
import { MilestoneStep, stepAnchor } from './milestone-step.tsx';
import { whenText } from './step-text.ts';

/** All steps of one matter, grouped by stage. */
export function MatterPath({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const id = useId();
  const stages = groupByStage(milestones);
  return (
    <section className={styles.matter} aria-labelledby={id}>
      <MatterPathHead matter={matter} milestones={milestones} id={id} />
      {stages.length === 0 && !isClosed(matter.status) && (
        <p className={styles.empty}>The steps of this part appear here once we’ve planned them.</p>
      )}
      {splitPath(stages).map((section) => (
        <Section
          key={(section.kind === 'done' ? section.stages[0] : section.stage)?.position}
          section={section}
          matter={matter}
        />
      ))}
    </section>
  );
}

/** Everything that is done starts closed, and on a phone so does what is to come, except the key moments. */
function Section({ section, matter }: { section: PathSection; matter: Matter }) {
  const isNarrow = useMedia('(max-width: 640px)');
  const today = useToday();
  if (section.kind === 'done') {
    const { stages } = section;
    return (
      <Disclosure
        className={styles.folded}
        summary={
          <span>
            {countSteps(stages.flatMap(({ steps }) => steps))}{' '}
            <small>{stages.map(({ title }) => title).join(', ')}</small>
          </span>
        }
      >
        {stages.map((stage) => (
          <StageSteps
            key={stage.position}
            stage={stage}
            runs={[{ steps: stage.steps, isOpen: true }]}
            matter={matter}
          />
        ))}
      </Disclosure>
    );
  }
  const { stage } = section;
  const runs = splitSteps(stage.steps, { foldUpcoming: isNarrow });
  if (runs.some(({ isOpen }) => isOpen)) return <StageSteps stage={stage} runs={runs} matter={matter} />;
  const when = stage.steps.map(({ milestone }) => whenText(matter, milestone, today)).find(Boolean);
  return (
    <Disclosure
      className={styles.folded}
      summary={
        <span>
          {stage.title}{' '}
          <small>
            {countSteps(stage.steps)}
            {when && `. ${when}`}
          </small>
        </span>
      }
    >
      <StageSteps stage={stage} runs={[{ steps: stage.steps, isOpen: true }]} matter={matter} />
    </Disclosure>
  );
}

interface StageStepsProps {
  stage: MilestoneStage;
  runs: StepRun[];
  matter: Matter;
}

/** The name of a stage, and its steps in runs that are open or start closed. */
function StageSteps({ stage: { title }, runs, matter }: StageStepsProps) {
  const id = useId();
  return (
    <div className={styles.stage}>
      <h3 id={id}>{title}</h3>
      <div className={styles.steps}>
        {runs.map(({ steps, isOpen }) =>
          isOpen ? (
            <StepList key={steps[0]?.milestone.id} steps={steps} matter={matter} labelledBy={id} />
          ) : (
            <Disclosure key={steps[0]?.milestone.id} summary={countSteps(steps)}>
              <StepList steps={steps} matter={matter} labelledBy={id} />
            </Disclosure>
          ),
        )}
      </div>
    </div>
  );
}

function StepList({ steps, matter, labelledBy }: { steps: Step[]; matter: Matter; labelledBy: string }) {
  const today = useToday();
  return (
    <ol aria-labelledby={labelledBy}>
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
      {matter.status !== 'active' && (
        <StatusTag tone={statusTones[matter.status]}>{matterStatusTexts[matter.status]}</StatusTag>
      )}
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

const statusTones = { on_hold: 'held', completed: 'good', abandoned: 'off' } as const;

/** The fragment id of a matter on this page. */
export const matterAnchor = ({ id }: Matter): string => `matter-${id}`;

/** "3 of 20 steps done". */
export function stepsDoneText({ progress: { done, total } }: Matter): string {
  return done >= total ? `All ${total} steps done` : `${done} of ${total} steps done`;
}
