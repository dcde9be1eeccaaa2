import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { Link } from '../../../navigation/link.tsx';
import styles from './sign-in-page.module.css';

/** The way on to the sign-in screen, once a link of an email has been used. */
export const SignInLink = () => (
  <p className={styles.submit}>
    <Link to="/login" className={buttonClass({ size: 'full' })}>
      Sign in
    </Link>
  </p>
);
