import styles from './unbroken.module.css';

/** Text in which a range of days such as "7–11 December" does not wrap, and no line starts with a dash. */
export function Unbroken({ children }: { children: string }) {
  const [before = '', range = '', after = ''] = children
    .replace(' – ', '\u00a0– ')
    .split(/(\d+–\d+ \p{Lu}\p{Ll}+)/u);
  return (
    <>
      {before}
      {range && <span className={styles.range}>{range}</span>}
      {after}
    </>
  );
}
