import { Button } from '@keyturn/ui/base/button.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { useId, useState } from 'react';
import { type MarkStatus, StatusMark } from '../content/status-mark.tsx';
import styles from './stage-tracker.module.css';

export interface Stage {
  id: string;
  title: string;
  status: MarkStatus;
  /** Exchange and completion, which are drawn as diamonds. */
  isKeyMoment: boolean;
}

export interface StageTrackerProps {
  /** The accessible name of the list: "Stages of your purchase". */
  label: string;
  stages: Stage[];
  /** Index of the current stage; the last one when all are done. */
  at: number;
}

/**
 * The route line of a matter, with a mark for each stage. On narrow screens the names of the stages have no room: they are
 * shown on request, in a vertical line.
 */
export function StageTracker({ label, stages, at }: StageTrackerProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.tracker}>
      <ol
        className={styles.track}
        id={id}
        aria-label={label}
        data-dense={stages.length > 9 || undefined}
        data-open={open || undefined}
      >
        {stages.map(({ id: stageId, title, status, isKeyMoment }, index) => (
          <li
            key={stageId}
            className={classNames(styles.stage, styles[status], index <= at && styles.reached)}
            aria-current={index === at && (status === 'current' || status === 'blocked') ? 'step' : undefined}
          >
            <StatusMark
              className={styles.mark}
              status={status}
              isKeyMoment={isKeyMoment}
              isHere={index === at}
            />
            <span className={styles.title}>
              {title}
              {showsStatus(status) ? (
                <small>{statusWords[status]}</small>
              ) : (
                <VisuallyHidden>: {statusWords[status]}</VisuallyHidden>
              )}
            </span>
          </li>
        ))}
      </ol>
      <Button
        look="plain"
        className={styles.more}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open
          ? 'Hide the stages'
          : stages.length === 1
            ? 'Show the stage'
            : `Show all ${stages.length} stages`}
      </Button>
    </div>
  );
}

const statusWords: Record<MarkStatus, string> = {
  done: 'done',
  current: 'now',
  upcoming: 'to come',
  blocked: 'held up',
  'not-needed': 'not needed',
};

/** Unusual statuses are shown as text too, not only by their shape. */
const showsStatus = (status: MarkStatus) => status === 'blocked' || status === 'not-needed';
