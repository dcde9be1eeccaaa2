import { useLive } from '../../../api/queries/use-live.ts';
import styles from './presence-note.module.css';
import { presenceText } from './presence-text.ts';

/** Names the other clients who are viewing the case right now; renders nothing when there are none. */
export function PresenceNote() {
  const text = presenceText(useLive(({ others }) => others));
  return text && <p className={styles.presence}>{text}</p>;
}
