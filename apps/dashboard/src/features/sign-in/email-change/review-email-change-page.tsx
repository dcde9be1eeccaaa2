import { Alert } from '@keyturn/ui/base/alert.tsx';
import { buttonClass } from '@keyturn/ui/base/button.tsx';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';
import { Done, LinkActions, useConfirm } from './link-actions.tsx';

/** The screen behind the link that was emailed to the former email address. */
export default function ReviewEmailChangePage() {
  const { call, auth } = useServices();
  const confirm = useConfirm();
  const stop = async (body: { token: string }) => {
    const { is_undone } = await call('POST /email-change/stop', { body });
    // The server has ended the session of this browser, too.
    auth.clear('signed_out');
    return is_undone ? undone : stopped;
  };
  return (
    <LinkActions
      heading="Did you ask to change your email address?"
      about="If it wasn’t you, stop the change. We’ll sign you out on all your devices. Your account keeps this address, or gets it back if the change has been made."
      actions={[
        { label: 'Yes, it was me', use: confirm },
        { label: 'Stop or undo the change', use: stop },
      ]}
    />
  );
}

const stopped = (
  <Done heading="The change has been stopped">
    <Alert tone="good" takesFocus className={styles.notice}>
      <p>
        Your account keeps its address, and every device is signed out. Choose a new password now, and call us
        on a number you already have: someone else was signed in to your account.
      </p>
    </Alert>
    <p className={styles.submit}>
      <Link to="/forgot-password" className={buttonClass({ size: 'full' })}>
        Get a link for a new password
      </Link>
    </p>
  </Done>
);

const undone = (
  <Done heading="The change has been undone">
    <Alert tone="attention" takesFocus title="Please call us now" className={styles.notice}>
      <p>
        Every device is signed out, and we don’t send links for a new password until we know that it’s you.
        Call us on a number you already have. You can also sign in with a passkey or an authenticator app, if
        you added it more than a week before the change.
      </p>
    </Alert>
  </Done>
);
