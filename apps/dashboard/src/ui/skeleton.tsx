import { classNames } from './class-names.ts';
import styles from './skeleton.module.css';

/** The place of something that is on its way, in its size. `lines` of text, or a block of a height in pixels. */
export function Skeleton({
  lines = 1,
  height,
  width,
  className,
}: {
  lines?: number;
  height?: number;
  width?: string;
  className?: string | undefined;
}) {
  return (
    <span className={classNames(styles.skeleton, className)} aria-hidden="true">
      {height === undefined ? (
        Array.from({ length: lines }, (_, line) => line).map((line) => (
          <span
            key={line}
            className={styles.line}
            style={{ width: line === lines - 1 ? (width ?? '72%') : '100%' }}
          />
        ))
      ) : (
        <span className={styles.block} style={{ height, width: width ?? '100%' }} />
      )}
    </span>
  );
}
