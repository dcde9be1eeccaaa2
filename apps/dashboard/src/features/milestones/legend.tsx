import { useMedia } from '@keyturn/ui/hooks/use-media.ts';
import { Disclosure } from '../../ui/content/disclosure.tsx';
import { Panel } from '../../ui/content/panel.tsx';
import { type MarkStatus, StatusMark } from '../../ui/content/status-mark.tsx';
import styles from './legend.module.css';

/** Explains the marks of the steps. On a phone it starts closed. */
export function Legend() {
  const isNarrow = useMedia('(max-width: 640px)');
  const title = 'What the marks mean';
  return isNarrow ? (
    <Disclosure summary={title}>
      <Marks />
    </Disclosure>
  ) : (
    <Panel small title={title}>
      <Marks />
    </Panel>
  );
}

function Marks() {
  return (
    <>
      <ul className={styles.marks}>
        {marks.map(({ label, status, isKeyMoment }) => (
          <li key={label}>
            <StatusMark status={status} isKeyMoment={isKeyMoment} />
            {label}
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        Before exchange, every date is our best estimate and may change. Exchange fixes the moving date.
      </p>
    </>
  );
}

const marks: { label: string; status: MarkStatus; isKeyMoment: boolean }[] = [
  { label: 'Done', status: 'done', isKeyMoment: false },
  { label: 'Under way', status: 'current', isKeyMoment: false },
  { label: 'To come', status: 'upcoming', isKeyMoment: false },
  { label: 'Held up', status: 'blocked', isKeyMoment: false },
  { label: 'Not needed in your case', status: 'not-needed', isKeyMoment: false },
  { label: 'Key moments: exchange and completion', status: 'upcoming', isKeyMoment: true },
];
