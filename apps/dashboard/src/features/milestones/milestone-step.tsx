import type { Matter, Milestone } from '@keyturn/contract';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useTextNow } from '@keyturn/ui/hooks/use-today.ts';
import { lastDayAtNine, overdueUpdates } from '../../api/case/overdue-update.ts';
import { waitingFacts } from '../../api/case/waiting-for.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { type MarkStatus, StatusMark } from '../../ui/content/status-mark.tsx';
import { Unbroken } from '../../ui/content/unbroken.tsx';
import { FactList } from '../../ui/journey/fact-list.tsx';
import { OverdueNote } from '../../ui/journey/overdue-note.tsx';
import fresh from '../../ui/states/fresh.module.css';
import { useChanged } from '../../ui/states/use-changed.ts';
import styles from './milestone-step.module.css';
import { actingText, keyMomentText, whenText } from './step-text.ts';

export interface MilestoneStepProps {
  matter: Matter;
  milestone: Milestone;
  /** Whether this is exchange or completion, shown with a brass diamond. */
  isKeyMoment: boolean;
  /** A calendar day in Europe/London. */
  today: string;
}

/** One step: its status and date, what it means and who does it. A step under way also shows who we are waiting for. */
export function MilestoneStep({ matter, milestone, isKeyMoment, today }: MilestoneStepProps) {
  const { status, title, explanation } = milestone;
  const isFresh = useChanged(status);
  const isUnderWay = status === 'current' || status === 'blocked';
  return (
    <li
      className={classNames(styles.step, styles[status], isKeyMoment && styles.keyMoment)}
      id={stepAnchor(milestone)}
      aria-current={status === 'current' ? 'step' : undefined}
    >
      <StatusMark
        className={styles.mark}
        status={markStatuses[status]}
        isKeyMoment={isKeyMoment}
        isHere={isUnderWay}
      />
      <div className={styles.body}>
        <div className={classNames(styles.line, isFresh && fresh.fresh)}>
          <h4>{title}</h4>
          <StepStatus matter={matter} milestone={milestone} today={today} isKeyMoment={isKeyMoment} />
        </div>
        <p className={styles.explanation}>{isKeyMoment ? keyMomentText(milestone) : explanation}</p>
        {isUnderWay ? (
          <>
            <FactList
              className={styles.facts}
              facts={waitingFacts(milestone, matter.matter_type, today)}
              today={today}
            />
            <Overdue matter={matter} milestone={milestone} today={today} />
          </>
        ) : (
          status !== 'not_needed' && (
            <p className={styles.actor}>{actingText(milestone, matter.matter_type)}</p>
          )
        )}
      </div>
    </li>
  );
}

/** The fragment id of a step on this page. */
export const stepAnchor = ({ id }: Milestone): string => `step-${id}`;

function StepStatus({ matter, milestone, today, isKeyMoment }: MilestoneStepProps) {
  const { status } = milestone;
  const text = status === 'not_needed' ? null : whenText(matter, milestone, today);
  return (
    <div className={styles.when}>
      {status === 'current' && <StatusTag tone="moving">Under way</StatusTag>}
      {status === 'blocked' && <StatusTag tone="held">Held up</StatusTag>}
      {status === 'not_needed' && <StatusTag tone="off">Not needed</StatusTag>}
      {text && (
        <p>
          <Unbroken>{text}</Unbroken>
        </p>
      )}
      {!text && status === 'upcoming' && <p>{isKeyMoment ? 'No date yet' : 'To come'}</p>}
    </div>
  );
}

function Overdue({ matter, milestone, today }: Omit<MilestoneStepProps, 'isKeyMoment'>) {
  const conveyancingCase = useClient().data?.conveyancing_case;
  const dayAtNine = useTextNow(lastDayAtNine);
  const overdue = conveyancingCase && overdueUpdates(conveyancingCase, matter, [milestone], dayAtNine);
  return overdue ? <OverdueNote {...overdue} today={today} /> : null;
}

const markStatuses: Record<Milestone['status'], MarkStatus> = {
  done: 'done',
  current: 'current',
  upcoming: 'upcoming',
  blocked: 'blocked',
  not_needed: 'not-needed',
};
