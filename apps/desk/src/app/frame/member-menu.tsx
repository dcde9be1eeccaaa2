import { useStore } from '@keyturn/browser/store/create-store.ts';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { ThemeChoice } from '@keyturn/ui/forms/theme-choice.tsx';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, useMember } from '../../api/desk-api.ts';
import { roleNames } from '../../api/role-names.ts';
import { Button } from '../../ui/base/button.tsx';
import { placeBelow } from '../../ui/overlays/menu.tsx';
import { themeChoice } from '../theme.ts';
import styles from './frame.module.css';

/** A button with the member’s name, which opens their account, the appearance, the shortcuts and sign-out. */
export function MemberMenu({ onShowKeys }: { onShowKeys: () => void }) {
  const member = useMember();
  const [, navigate] = useLocation();
  const theme = useStore(themeChoice);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const name = member.name ?? member.email;
  const close = () => menu.current?.hidePopover();
  return (
    <>
      <button ref={button} type="button" className={styles.me} popoverTarget="account">
        <span className={styles.avatar} aria-hidden="true">
          {initialsOf(name)}
        </span>
        <span>
          {name}
          <VisuallyHidden>, your account</VisuallyHidden>
          <span className={styles.role}>{roleNames[member.role]}</span>
        </span>
      </button>
      <div
        ref={menu}
        id="account"
        className={styles.account}
        popover="auto"
        onToggle={({ newState }) => newState === 'open' && placeBelow(menu.current, button.current)}
      >
        <p className={styles.who}>
          <strong>{name}</strong>
          <span className={styles.email}>{member.email}</span>
        </p>
        <div className={styles.commands}>
          <Link to="/account" onClick={close}>
            Your account
          </Link>
          <Button
            look="plain"
            onClick={() => {
              close();
              onShowKeys();
            }}
          >
            Keyboard shortcuts
          </Button>
        </div>
        <ThemeChoice theme={theme} onChoose={themeChoice.set} className={styles.themes} />
        <Button
          wide
          onClick={() => {
            close();
            navigate('/');
            void signOut();
          }}
        >
          Sign out
        </Button>
      </div>
    </>
  );
}

/** The first letters of the first and the last name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
