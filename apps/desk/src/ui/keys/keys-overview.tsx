import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { Button } from '../base/button.tsx';
import styles from './keys-overview.module.css';
import { type Shortcut, shortcutChoice, shortcuts } from './shortcuts.ts';

const groups: Shortcut['group'][] = ['Everywhere', 'On this page', 'In a list'];

/** The keys that work on the page, and the switch that turns them off. */
export function KeysOverview({ open, onClose }: { open: boolean; onClose: () => void }) {
  const registered = useStore(shortcuts);
  const isOn = useStore(shortcutChoice) === 'on';
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      actions={
        <>
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => shortcutChoice.set(isOn ? 'off' : 'on')}>
            {isOn ? 'Turn shortcuts off' : 'Turn shortcuts on'}
          </Button>
        </>
      }
    >
      <p>
        {isOn
          ? 'They work everywhere except while you type.'
          : 'Shortcuts are off in this browser. Arrow keys, Enter and Escape still work.'}
      </p>
      {groups.map((group) => {
        const inGroup = registered.filter(
          (shortcut, index) =>
            shortcut.group === group &&
            registered.findLastIndex(({ keys }) => keys === shortcut.keys) === index,
        );
        if (inGroup.length === 0) return null;
        return (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
            <dl className={styles.keys}>
              {inGroup.map(({ keys, name }) => (
                <div key={keys}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{name}</dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </Dialog>
  );
}

/** Keys as they look on a keyboard. */
export function Keys({ keys }: { keys: string }) {
  const [first, second] = keys.split(' ');
  return (
    <>
      <kbd className={styles.key}>{first}</kbd>
      {second && (
        <>
          {' then '}
          <kbd className={styles.key}>{second}</kbd>
        </>
      )}
    </>
  );
}
