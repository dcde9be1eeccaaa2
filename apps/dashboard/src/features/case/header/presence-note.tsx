import { useLive } from '../../../api/queries/use-live.ts';
import styles from './presence-note.module.css';
import { hereWords } from './presence-text.ts';

/** Which of the other owners look at the case at this moment. Nothing where nobody does. */
export function AlsoHere() {
  const words = hereWords(useLive(({ others }) => others));
  return words && <p className={styles.here}>{words}</p>;
}
