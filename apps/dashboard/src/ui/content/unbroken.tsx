import styles from './unbroken.module.css';

/** Text in which a range of days such as "7–11 December" does not wrap. */
export function Unbroken({ children }: { children: string }) {
  const [before = '', range = '', after = ''] = children.split(/(\d+–\d+ \p{Lu}\p{Ll}+)/u);
  return (
    <>
      {before}
      {range && <span className={styles.range}>{range}</span>}
      {after}
    </>
  );
}
