import { classNames } from '../base/class-names.ts';
import styles from './skeleton.module.css';

/**
 * The place of something that is on its way, in its size. `lines` of text, the last of them of a width; or a block of a
 * height in pixels. Drawings, because they may say their size where the page's policy allows no style.
 */
export function Skeleton({
  lines = 1,
  height,
  width,
  className,
}: {
  lines?: number;
  height?: number;
  /** In pixels, or of the whole. */
  width?: number | `${number}%`;
  className?: string | undefined;
}) {
  return (
    <span className={classNames(styles.skeleton, className)} aria-hidden="true">
      {height === undefined ? (
        Array.from({ length: lines }, (_, line) => line).map((line) => (
          <svg key={line} className={styles.line} width={line === lines - 1 ? (width ?? '72%') : '100%'} />
        ))
      ) : (
        <svg className={styles.block} width={width ?? '100%'} height={height} />
      )}
    </span>
  );
}
