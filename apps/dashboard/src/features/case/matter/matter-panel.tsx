import type { ConveyancingCase, Matter, Milestone } from '@keyturn/contract';
import { matterActivities, matterStatusTexts, matterTypeInSentence } from '@keyturn/format/matter-names';
import { propertyAddress } from '@keyturn/format/property-names';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useTextNow, useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useId } from 'react';
import { lastDayAtNine, overdueUpdates } from '../../../api/case/overdue-update.ts';
import { waitingFacts, waitingInSentence } from '../../../api/case/waiting-for.ts';
import { StatusMark } from '../../../ui/content/status-mark.tsx';
import { FactList } from '../../../ui/journey/fact-list.tsx';
import { OverdueNote } from '../../../ui/journey/overdue-note.tsx';
import { StageTracker } from '../../../ui/journey/stage-tracker.tsx';
import { type KeyMoment, keyMoments } from './key-moments.ts';
import styles from './matter-panel.module.css';
import { currentMilestone, otherMilestonesUnderWay, routeOf } from './stages.ts';

export interface MatterPanelProps {
  conveyancingCase: ConveyancingCase;
  matter: Matter;
  milestones: Milestone[];
}

/** The panel of one matter: its property, the route line, the current step and the key dates. */
export function MatterPanel({ conveyancingCase, matter, milestones }: MatterPanelProps) {
  const id = useId();
  const today = useToday();
  const matterType = matterTypeInSentence(matter.matter_type);
  const route = routeOf(milestones, matter.stage);
  const current = currentMilestone(milestones, matter.stage);
  return (
    <section className={styles.matter} aria-labelledby={id}>
      <MatterHeading matter={matter} id={id} />
      <p className={styles.stage}>
        <CurrentStage matter={matter} current={current} />
      </p>
      {route.stages.length > 0 && <StageTracker label={`Stages of your ${matterType}`} {...route} />}
      {current && matter.status === 'active' ? (
        <CurrentStep
          conveyancingCase={conveyancingCase}
          matter={matter}
          milestone={current}
          others={otherMilestonesUnderWay(milestones, matter.stage)}
        />
      ) : (
        milestones.length === 0 &&
        matter.status === 'active' && (
          <p className={styles.soft}>The steps of your {matterType} appear here once we’ve planned them.</p>
        )
      )}
      <ul className={styles.moments}>
        {momentsToShow(matter, keyMoments(matter, milestones, today)).map(
          ({ title, when, explanation, isReached }) => (
            <li key={title}>
              <StatusMark status={isReached ? 'done' : 'upcoming'} isKeyMoment />
              <p>
                <strong>{title}</strong>
                <span>{when}</span>
                {matter.status !== 'completed' && <small>{explanation}</small>}
              </p>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

/** The matter’s type and address, which the skeleton shows too. */
export function MatterHeading({ matter, id }: { matter: Matter; id: string }) {
  return (
    <header>
      <p className={styles.matterType}>{matterActivities[matter.matter_type]}</p>
      <h2 id={id}>{propertyAddress(matter.property)}</h2>
    </header>
  );
}

/** While a matter is on hold, only a moment that has been reached or agreed has a day. */
const momentsToShow = ({ status, exchanged_on }: Matter, moments: KeyMoment[]) =>
  status === 'on_hold' && !exchanged_on ? moments.filter(({ isReached }) => isReached) : moments;

function CurrentStage({ matter, current }: { matter: Matter; current: Milestone | undefined }) {
  const { done, total } = matter.progress;
  if (total > 0 && done >= total) return <strong>All {total} steps done</strong>;
  if (matter.status !== 'active') return <strong>{matterStatusTexts[matter.status]}</strong>;
  return (
    <>
      <strong>{current?.stage.title ?? 'Getting started'}</strong>
      {total > 0 && (
        <span>
          step {Math.min(done + 1, total)} of {total}
        </span>
      )}
      {current?.status === 'blocked' && <StatusTag tone="held">Held up</StatusTag>}
    </>
  );
}

function CurrentStep({
  conveyancingCase,
  matter,
  milestone,
  others,
}: {
  conveyancingCase: ConveyancingCase;
  matter: Matter;
  milestone: Milestone;
  others: Milestone[];
}) {
  const today = useToday();
  const overdue = overdueUpdates(conveyancingCase, matter, [milestone, ...others], useTextNow(lastDayAtNine));
  return (
    <div className={styles.current}>
      <p className={styles.step}>
        <strong>{milestone.title}</strong> {milestone.explanation}
      </p>
      <FactList
        className={styles.facts}
        facts={waitingFacts(milestone, matter.matter_type, today)}
        today={today}
      />
      {overdue && <OverdueNote {...overdue} today={today} namesSteps={others.length > 0} />}
      {others.length > 0 && (
        <div className={styles.others}>
          <h3>Also under way</h3>
          <ul>
            {others.map((other) => (
              <li key={other.id}>
                <strong>{other.title}</strong>,{' '}
                {other.status === 'blocked' ? 'held up: waiting for' : 'waiting for'}{' '}
                {waitingInSentence(other, matter.matter_type)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
