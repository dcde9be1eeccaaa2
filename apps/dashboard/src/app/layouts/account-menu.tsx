import { Button } from '@keyturn/ui/base/button.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { ThemeChoice } from '@keyturn/ui/forms/theme-choice.tsx';
import { useRef, useState } from 'react';
import { useClient } from '../../api/queries/use-client.ts';
import { useAuthState, useServices } from '../../api/services/services.ts';
import { signOut } from '../../api/session/sign-out.ts';
import { Link } from '../../navigation/link.tsx';
import { useNavigate } from '../../navigation/navigation.tsx';
import styles from './account-menu.module.css';
import { initialsOf } from './initials.ts';
import { readTheme, setTheme } from './theme.ts';

/** A button with the client's name, which opens a menu that leads to the account, sets the theme and signs out. */
export function AccountMenu() {
  const services = useServices();
  const navigate = useNavigate();
  const fetchedClient = useClient().data;
  const storedClient = useAuthState()?.client;
  const client = fetchedClient ?? storedClient;
  const menu = useRef<HTMLDivElement>(null);
  const [theme, showTheme] = useState(readTheme);
  const name = client ? `${client.first_name} ${client.last_name}` : 'Your account';
  const onSignOut = () => {
    signOut(services);
    void navigate('/login', { replace: true });
  };
  return (
    <>
      <button type="button" className={styles.me} popoverTarget="account">
        <span className={styles.avatar} aria-hidden="true">
          {client ? initialsOf(client) : ''}
        </span>
        <span className={styles.name}>{name}</span>
        <VisuallyHidden>, your account</VisuallyHidden>
      </button>
      <div ref={menu} className={styles.menu} id="account" popover="auto">
        <p className={styles.who}>
          <strong>{name}</strong>
          {client && <span>{client.email}</span>}
        </p>
        <p className={styles.account}>
          <Link to="/account" onClick={() => menu.current?.hidePopover()}>
            Your account
          </Link>
          <span>Password, passkeys and authenticator app</span>
        </p>
        <ThemeChoice
          theme={theme}
          onChoose={(chosen) => {
            setTheme(chosen);
            showTheme(chosen);
          }}
          className={styles.themes}
        />
        <Button look="quiet" className={styles.leave} onClick={onSignOut} data-leads-to="/login">
          Sign out
        </Button>
      </div>
    </>
  );
}
