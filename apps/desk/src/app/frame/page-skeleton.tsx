import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useEffect } from 'react';
import { keepEarlyKeys } from '../../ui/keys/shortcuts.ts';
import styles from './frame.module.css';

/** A placeholder for a page whose code is loading. Shown only when that takes longer than a moment. */
export function PageSkeleton() {
  useEffect(keepEarlyKeys, []);
  return (
    <div className={styles.pending} role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <Skeleton lines={1} width={220} />
      <Skeleton height={160} />
    </div>
  );
}
