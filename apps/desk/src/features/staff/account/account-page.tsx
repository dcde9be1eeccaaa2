import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { useMember } from '../../../api/desk-api.ts';
import { roleNames } from '../../../api/role-names.ts';
import { PageHead, Section } from '../../../ui/base/page.tsx';
import { shortcutChoice } from '../../../ui/keys/shortcuts.ts';
import styles from './account.module.css';
import { OwnFactors } from './own-factors.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { RecoveryCodesLeft } from './recovery-codes-left.tsx';

/** The account page, where members manage their own sign-in. */
export default function AccountPage() {
  const { name, email, role } = useMember();
  return (
    <>
      <PageHead title="Your account">
        {name ? `${name}, ${email}` : email}, {roleNames[role].toLowerCase()}
      </PageHead>
      <div className={styles.page}>
        <OwnFactors />
        <RecoveryCodesLeft />
        <OwnPassword />
        <OwnSessions />
        <ShortcutsSection />
      </div>
    </>
  );
}

function ShortcutsSection() {
  const isOn = useStore(shortcutChoice) === 'on';
  return (
    <Section title="Keyboard shortcuts">
      <Checkbox
        className={styles.switch}
        label="Use single keys such as j, k and ? as shortcuts in this browser"
        checked={isOn}
        onChange={({ currentTarget }) => shortcutChoice.set(currentTarget.checked ? 'on' : 'off')}
      />
      <p className={styles.hint}>
        Turn them off if you control your computer by voice, or if you press keys by accident. Arrow keys,
        Enter and Escape still work.
      </p>
    </Section>
  );
}
