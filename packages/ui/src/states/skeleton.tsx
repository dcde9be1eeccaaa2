import { classNames } from '../base/class-names.ts';
import styles from './skeleton.module.css';

/**
 * A placeholder for content that is loading: `lines` of text, the last one with `width`, or a block with `height` in
 * pixels. It uses SVG because its size attributes work under a content security policy without inline styles.
 */
export function Skeleton({
  lines = 1,
  height,
  width,
  className,
}: {
  lines?: number;
  height?: number;
  /** In pixels, or a percentage of the available width. */
  width?: number | `${number}%`;
  className?: string | undefined;
}) {
  return (
    <span className={classNames(styles.skeleton, className)} aria-hidden="true" data-placeholder="">
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
