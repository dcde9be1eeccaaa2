import type { ConveyancingCase } from '@keyturn/contract';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { formatMoment } from '../../../ui/format/format-date.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { CaseSwitch } from '../header/case-switch.tsx';
import { PresenceNote } from '../header/presence-note.tsx';
import styles from './case-heading.module.css';
import { caseTitle } from './case-title.ts';

export interface CaseHeadingProps {
  /** Undefined while loading. */
  conveyancingCase: ConveyancingCase | undefined;
  /** Undefined until it is known. */
  freshness: CaseFreshness | undefined;
}

/** How current the data on the page is. */
export interface CaseFreshness {
  isOutOfDate: boolean;
  /** ISO 8601; null when unknown. */
  lastChange: string | null;
}

/** The heading of the home page: reference, property names and how current the data is. */
export function CaseHeading({ conveyancingCase, freshness }: CaseHeadingProps) {
  const today = useToday();
  const title = conveyancingCase && caseTitle(conveyancingCase.matters);
  return (
    <div className={styles.head}>
      <div className={styles.reference}>
        {conveyancingCase ? <p>Case {conveyancingCase.reference}</p> : <Skeleton width={144} />}
        <div className={styles.narrow}>
          <PresenceNote />
        </div>
        <div className={styles.narrow}>
          <CaseSwitch />
        </div>
      </div>
      <PageHeading>
        {title ? (
          <>
            {title.from && (
              <>
                {title.from} <span className={styles.to}>to</span>{' '}
              </>
            )}
            {title.to}
          </>
        ) : (
          <>
            <VisuallyHidden>Your case</VisuallyHidden>
            <Skeleton width={416} />
          </>
        )}
      </PageHeading>
      {freshness ? (
        <p className={styles.freshness}>
          <span className={freshness.isOutOfDate ? styles.staleDot : styles.freshDot} aria-hidden="true" />
          {freshnessText(freshness, today)}
        </p>
      ) : (
        <div className={styles.freshness}>
          <Skeleton width={240} className={styles.wide} />
        </div>
      )}
    </div>
  );
}

function freshnessText({ isOutOfDate, lastChange }: CaseFreshness, today: string): string {
  const lastUpdated = lastChange && `Last updated ${formatMoment(lastChange, today)}`;
  if (isOutOfDate) return ['May be out of date.', lastUpdated].filter(Boolean).join(' ');
  return lastUpdated ?? 'Up to date.';
}
