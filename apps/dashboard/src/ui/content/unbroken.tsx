import styles from './unbroken.module.css';

/** Words whose ranges of days stay in one piece: "7–11 December". */
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
