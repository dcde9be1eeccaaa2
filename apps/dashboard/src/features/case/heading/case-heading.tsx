import type { ConveyancingCase } from '@keyturn/contract';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatMoment } from '../../../ui/format/format-date.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { CaseSwitch } from '../header/case-switch.tsx';
import { AlsoHere } from '../header/presence-note.tsx';
import styles from './case-heading.module.css';
import { caseHeading } from './case-title.ts';

export interface CaseHeadProps {
  /** Undefined while it is on its way. */
  conveyancingCase: ConveyancingCase | undefined;
  /** Undefined while it is not known. */
  freshness: CaseFreshness | undefined;
}

/** How far what is shown can be relied upon. */
export interface CaseFreshness {
  isOutOfDate: boolean;
  /** ISO 8601; null where it cannot be known. */
  lastChange: string | null;
}

/** Which case this is, and how fresh what stands below. */
export function CaseHead({ conveyancingCase, freshness }: CaseHeadProps) {
  const today = useToday();
  const heading = conveyancingCase && caseHeading(conveyancingCase.matters);
  return (
    <div className={styles.head}>
      <div className={styles.reference}>
        {conveyancingCase ? <p>Case {conveyancingCase.reference}</p> : <Skeleton width={144} />}
        <div className={styles.narrow}>
          <AlsoHere />
        </div>
        <div className={styles.narrow}>
          <CaseSwitch />
        </div>
      </div>
      <PageHeading>
        {heading ? (
          <>
            {heading.from && (
              <>
                {heading.from} <span className={styles.to}>to</span>{' '}
              </>
            )}
            {heading.to}
          </>
        ) : (
          <>
            <VisuallyHidden>Your case</VisuallyHidden>
            <Skeleton width={416} />
          </>
        )}
      </PageHeading>
      {freshness ? (
        <p className={styles.live}>
          <span className={freshness.isOutOfDate ? styles.stale : styles.fresh} aria-hidden="true" />
          {freshness.isOutOfDate ? 'May be out of date.' : 'Up to date.'}
          {freshness.lastChange && ` Last change ${formatMoment(freshness.lastChange, today)}`}
        </p>
      ) : (
        <div className={styles.live}>
          <Skeleton width={240} className={styles.wide} />
        </div>
      )}
    </div>
  );
}
