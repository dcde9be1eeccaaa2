import { classNames } from '@keyturn/ui/base/class-names.ts';
import styles from './status-mark.module.css';

export type MarkStatus = 'done' | 'current' | 'upcoming' | 'blocked' | 'not-needed';

/** Draws the mark of a stage or a step on the route line. Each status has its own shape; key moments are diamonds. */
export function StatusMark({
  status,
  isKeyMoment,
  isHere = false,
  className,
}: {
  status: MarkStatus;
  isKeyMoment: boolean;
  /** Whether the case is at this stage or step. */
  isHere?: boolean;
  className?: string | undefined;
}) {
  return (
    <svg
      className={classNames(styles.mark, styles[status], isKeyMoment && styles.key, className)}
      width="32"
      height="32"
      viewBox="0 0 32 32"
      aria-hidden="true"
    >
      {isHere && (status === 'current' || status === 'blocked') && (
        <Outline className={styles.halo} isKeyMoment={isKeyMoment} size={15} />
      )}
      {status === 'not-needed' ? (
        <circle className={styles.body} cx="16" cy="16" r="6" />
      ) : status === 'blocked' ? (
        <rect className={styles.body} x="7" y="7" width="18" height="18" rx="4" />
      ) : (
        <Outline className={styles.body} isKeyMoment={isKeyMoment} size={status === 'current' ? 8 : 9.5} />
      )}
      {status === 'done' && <path className={styles.sign} d="M11.8 16.4l2.9 2.9 5.6-6" />}
      {status === 'blocked' && <path className={styles.sign} d="M11.5 16h9" />}
    </svg>
  );
}

function Outline({
  isKeyMoment,
  size,
  className,
}: {
  isKeyMoment: boolean;
  size: number;
  className: string | undefined;
}) {
  if (!isKeyMoment) return <circle className={className} cx="16" cy="16" r={size} />;
  const half = size + 1.5;
  return (
    <path className={className} d={`M16 ${16 - half}l${half} ${half}-${half} ${half}-${half}-${half}z`} />
  );
}
