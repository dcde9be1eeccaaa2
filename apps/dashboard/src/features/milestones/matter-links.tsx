import type { Matter } from '@keyturn/contract';
import { propertyName } from '../../api/case/property-names.ts';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import styles from './matter-links.module.css';
import { matterAnchor, matterKinds } from './matter-path.tsx';

/** For a case of several matters: straight to each of them. While they are on their way, the places of two. */
export function MatterLinks({ matters }: { matters: Matter[] | undefined }) {
  if (!matters) return <MatterLinksSkeleton />;
  if (matters.length < 2) return null;
  return (
    <nav aria-label="Parts of your case">
      <ul className={styles.links}>
        {matters.map((matter) => (
          <li key={matter.id}>
            <a href={`#${matterAnchor(matter)}`}>
              {matterKinds[matter.matter_type]} {propertyName(matter.property)}
            </a>
            <span className={styles.progress}>{progressWords(matter)}</span>
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
          <span className={styles.place}>
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

function progressWords({ progress: { done, total } }: Matter): string {
  if (total === 0) return 'Not planned yet';
  return done >= total ? `All ${total} steps done` : `${done} of ${total} steps done`;
}
