import type { ConveyancingCase, Matter, Milestone } from '@keyturn/contract';
import { matterActivities, matterStatusTexts } from '@keyturn/format/matter-names';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { Unbroken } from '../../../ui/content/unbroken.tsx';
import { firstName } from '../contacts/first-name.ts';
import { currentMilestone } from '../matter/stages.ts';
import styles from './case-summary.module.css';
import { movingDay } from './moving-day.ts';

export interface CaseSummaryProps {
  conveyancingCase: ConveyancingCase;
  /** Undefined while loading, and when they could not be loaded. */
  milestones: Milestone[] | undefined;
  isLoading: boolean;
}

/** Where the case is, when the clients are likely to move or get their keys and, on a phone, which number to call. */
export function CaseSummary({ conveyancingCase, milestones, isLoading }: CaseSummaryProps) {
  const today = useToday();
  const { matters, handlers, firm } = conveyancingCase;
  const handler = handlers[0];
  const phone = handler?.phone ?? firm.phone;
  const moving = milestones && movingDay(matters, milestones, today);
  return (
    <dl className={styles.summary} aria-label="Your case at a glance">
      {matters.map((matter) => (
        <div key={matter.id}>
          <dt>{matterActivities[matter.matter_type]}</dt>
          <dd>
            {isLoading ? <Skeleton width={128} /> : <Progress matter={matter} milestones={milestones} />}
          </dd>
        </div>
      ))}
      {(moving || isLoading) && (
        <div>
          <dt>{moving ? moving.label : <Skeleton width={96} />}</dt>
          <dd>{moving ? <Unbroken>{moving.when}</Unbroken> : <Skeleton width={128} />}</dd>
        </div>
      )}
      <div className={styles.call}>
        <dt>{handler ? `Call ${firstName(handler.name)}` : 'Call us'}</dt>
        <dd>
          <PhoneLink phone={phone} />
        </dd>
      </div>
    </dl>
  );
}

/** Placeholder for a case with two matters. */
export function CaseSummarySkeleton() {
  return (
    <div className={styles.summary}>
      {['sale', 'purchase', 'moving', 'call'].map((name) => (
        <div key={name} className={name === 'call' ? styles.call : undefined}>
          <Skeleton width={64} />
          <Skeleton width={128} />
        </div>
      ))}
    </div>
  );
}

function Progress({ matter, milestones }: { matter: Matter; milestones: Milestone[] | undefined }) {
  const { status, stage, id } = matter;
  const { done, total } = matter.progress;
  if (total > 0 && done >= total) return `All ${total} steps done`;
  if (status !== 'active') return matterStatusTexts[status];
  const own = milestones?.filter(({ matter_id }) => matter_id === id) ?? [];
  const current = currentMilestone(own, stage);
  const step = total > 0 && `step ${Math.min(done + 1, total)} of ${total}`;
  return (
    <>
      {current?.stage.title ?? (milestones && 'Getting started')} {step && <small>{step}</small>}
    </>
  );
}
