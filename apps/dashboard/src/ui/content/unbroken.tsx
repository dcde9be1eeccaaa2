import styles from './unbroken.module.css';

/** Text in which days such as "7–11 December" or "25 January" do not wrap, and no line starts with a dash. */
export function Unbroken({ children }: { children: string }) {
  const [before = '', range = '', after = ''] = children
    .replace(' – ', '\u00a0– ')
    .replaceAll(/(\d) (?=\p{Lu})/gu, '$1\u00a0')
    .split(/(\d+–\d+\u00a0\p{Lu}\p{Ll}+)/u);
  return (
    <>
      {before}
      {range && <span className={styles.range}>{range}</span>}
      {after}
    </>
  );
}
