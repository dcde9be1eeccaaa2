import type { Matter } from '@keyturn/contract';
import { matterActivities } from '@keyturn/format/matter-names';
import { propertyName } from '@keyturn/format/property-names';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import styles from './matter-links.module.css';
import { matterAnchor, stepsDoneText } from './matter-path.tsx';

/** Links to each matter of a case that has several; a placeholder for two while loading. */
export function MatterLinks({ matters }: { matters: Matter[] | undefined }) {
  if (!matters) return <MatterLinksSkeleton />;
  if (matters.length < 2) return null;
  return (
    <nav aria-label="Parts of your case">
      <ul className={styles.links}>
        {matters.map((matter) => (
          <li key={matter.id}>
            <a href={`#${matterAnchor(matter)}`}>
              {matterActivities[matter.matter_type]} {propertyName(matter.property)}
            </a>
            <span className={styles.progress}>
              {matter.progress.total === 0 ? 'Not planned yet' : stepsDoneText(matter)}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function MatterLinksSkeleton() {
  return (
    <ul className={styles.links} aria-hidden="true">
      {[176, 160].map((width) => (
        <li key={width}>
          <span className={styles.placeholder}>
            <Skeleton width={width} />
          </span>
          <span className={styles.progress}>
            <Skeleton width={112} />
          </span>
        </li>
      ))}
    </ul>
  );
}
