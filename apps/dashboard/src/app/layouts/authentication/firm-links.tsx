import { Link, type LinkProps } from '../../../navigation/link.tsx';
import { usePathname } from '../../../navigation/navigation.tsx';
import styles from './firm-links.module.css';

/** Links to the pages that everyone can read about the firm. */
export const FirmLinks = () => (
  <ul className={styles.links}>
    <li>
      <FirmLink to="/regulation">Regulation</FirmLink>
    </li>
    <li>
      <FirmLink to="/complaints">Complaints</FirmLink>
    </li>
    <li>
      <FirmLink to="/privacy">Privacy</FirmLink>
    </li>
    <li>
      <FirmLink to="/terms">Terms</FirmLink>
    </li>
  </ul>
);

/**
 * A link that loads a whole page to and from *Regulation*: the content security policy of that page alone allows the frame of
 * the regulator’s badge.
 */
export function FirmLink({ to, ...props }: Omit<LinkProps, 'query' | 'replace' | 'state'>) {
  const isWholePage = [to, usePathname()].some((path) => path.toLowerCase().startsWith('/regulation'));
  return isWholePage ? <a {...props} href={to} /> : <Link {...props} to={to} />;
}
