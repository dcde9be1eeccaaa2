import { Link } from '../../../navigation/link.tsx';
import styles from './firm-links.module.css';

/** Links to the pages that everyone can read about the firm. */
export const FirmLinks = () => (
  <ul className={styles.links}>
    <li>
      <Link to="/regulation">Regulation</Link>
    </li>
    <li>
      <Link to="/complaints">Complaints</Link>
    </li>
    <li>
      <Link to="/privacy">Privacy</Link>
    </li>
    <li>
      <Link to="/terms">Terms</Link>
    </li>
  </ul>
);
