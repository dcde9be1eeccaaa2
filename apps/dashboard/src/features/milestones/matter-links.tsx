import type { Matter } from '@keyturn/contract';
import { propertyName } from '../../api/property-names.ts';
import styles from './matter-links.module.css';
import { matterAnchor, matterKinds } from './matter-path.tsx';

/** For a case of several matters: straight to each of them. */
export function MatterLinks({ matters }: { matters: Matter[] }) {
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

function progressWords({ progress: { done, total } }: Matter): string {
  if (total === 0) return 'Not planned yet';
  return done >= total ? `All ${total} steps done` : `${done} of ${total} steps done`;
}
