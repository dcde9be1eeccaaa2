import type { Matter, Milestone } from '@keyturn/contract';
import { useId } from 'react';
import { propertyAddress } from '../../../api/case/property-names.ts';
import { inSentence, waitingFacts, waitingFor } from '../../../api/case/waiting-for.ts';
import { StationMark } from '../../../ui/content/station-mark.tsx';
import { StatusTag } from '../../../ui/content/status-tag.tsx';
import { formatNearDay } from '../../../ui/format/format-date.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { StageTracker } from '../../../ui/journey/stage-tracker.tsx';
import { keyMoments } from './key-moments.ts';
import styles from './matter-panel.module.css';
import { currentMilestone, otherMilestonesUnderWay, routeOf } from './stations.ts';

/** One matter: its home, the route line, and who holds the present step. */
export function MatterPanel({ matter, milestones }: { matter: Matter; milestones: Milestone[] }) {
  const id = useId();
  const today = useToday();
  const route = routeOf(milestones, matter.stage);
  const now = currentMilestone(milestones, matter.stage);
  return (
    <section className={styles.matter} aria-labelledby={id}>
      <MatterHeading matter={matter} id={id} />
      <p className={styles.stage}>
        <Stage matter={matter} now={now} />
      </p>
      {route.stations.length > 0 && (
        <StageTracker label={`Stages of your ${nouns[matter.matter_type]}`} {...route} />
      )}
      {now ? (
        <Waiting matter={matter} now={now} others={otherMilestonesUnderWay(milestones, matter.stage)} />
      ) : (
        milestones.length === 0 && (
          <p className={styles.soft}>
            The steps of your {nouns[matter.matter_type]} appear here once we have planned them.
          </p>
        )
      )}
      <ul className={styles.moments}>
        {keyMoments(matter, milestones, today).map(({ title, when, explanation, isReached }) => (
          <li key={title}>
            <StationMark status={isReached ? 'done' : 'upcoming'} isKeyMoment />
            <p>
              <strong>{title}</strong>
              <span>{when}</span>
              {matter.status !== 'completed' && <small>{explanation}</small>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shared with the skeleton, so that what is known already stands in its place. */
export function MatterHeading({ matter, id }: { matter: Matter; id: string }) {
  return (
    <header>
      <p className={styles.kind}>{kinds[matter.matter_type]}</p>
      <h2 id={id}>{propertyAddress(matter.property)}</h2>
    </header>
  );
}

function Stage({ matter, now }: { matter: Matter; now: Milestone | undefined }) {
  const { done, total } = matter.progress;
  if (total > 0 && done >= total) return <strong>All {total} steps done</strong>;
  return (
    <>
      <strong>{now?.stage.title ?? 'Getting started'}</strong>
      {total > 0 && (
        <span>
          step {Math.min(done + 1, total)} of {total}
        </span>
      )}
      {now?.status === 'blocked' && <StatusTag tone="held">Held up</StatusTag>}
    </>
  );
}

function Waiting({ matter, now, others }: { matter: Matter; now: Milestone; others: Milestone[] }) {
  const today = useToday();
  return (
    <div className={styles.now}>
      <p className={styles.step}>
        <strong>{now.title}</strong> {now.explanation}
      </p>
      <dl className={styles.facts}>
        {waitingFacts(now, matter.matter_type, today).map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{'day' in fact ? formatNearDay(fact.day, today) : fact.words}</dd>
          </div>
        ))}
      </dl>
      {others.length > 0 && (
        <div className={styles.others}>
          <h3>Also under way</h3>
          <ul>
            {others.map((other) => (
              <li key={other.id}>
                <strong>{other.title}</strong>,{' '}
                {other.status === 'blocked' ? 'held up: waiting for' : 'waiting for'}{' '}
                {inSentence(waitingFor(other, matter.matter_type))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

const kinds: Record<Matter['matter_type'], string> = {
  sale: 'Selling',
  purchase: 'Buying',
  remortgage: 'Remortgaging',
  'transfer-of-equity': 'Changing the owners of',
};

const nouns: Record<Matter['matter_type'], string> = {
  sale: 'sale',
  purchase: 'purchase',
  remortgage: 'remortgage',
  'transfer-of-equity': 'transfer of equity',
};
