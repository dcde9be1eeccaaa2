import type { ConveyancingCase } from '@keyturn/contract';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import type { ReactNode } from 'react';
import { CaseSwitch } from '../header/case-switch.tsx';
import { PresenceNote } from '../header/presence-note.tsx';
import styles from './case-heading.module.css';
import { caseTitle } from './case-title.ts';
import { FreshnessSkeleton } from './freshness-line.tsx';

export interface CaseHeadingProps {
  /** Undefined while loading. */
  conveyancingCase: ConveyancingCase | undefined;
  /** Says how current the data is; nothing while loading. */
  freshness: ReactNode;
}

/** The heading of the home page: reference, property names and how current the data is. */
export function CaseHeading({ conveyancingCase, freshness }: CaseHeadingProps) {
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
      {freshness ?? <FreshnessSkeleton />}
    </div>
  );
}
