import { Panel } from '../../ui/content/panel.tsx';
import { StationMark, type StationStatus } from '../../ui/content/station-mark.tsx';
import styles from './legend.module.css';

/** The shapes of the route line in words. */
export function WhatTheMarksMean() {
  return (
    <Panel small title="What the marks mean">
      <ul className={styles.marks}>
        {marks.map(({ words, status, isKeyMoment }) => (
          <li key={words}>
            <StationMark status={status} isKeyMoment={isKeyMoment} />
            {words}
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        Before exchange every date is our best guess, and can still change. Exchange fixes the moving date.
      </p>
    </Panel>
  );
}

const marks: { words: string; status: StationStatus; isKeyMoment: boolean }[] = [
  { words: 'Done', status: 'done', isKeyMoment: false },
  { words: 'Under way', status: 'current', isKeyMoment: false },
  { words: 'To come', status: 'upcoming', isKeyMoment: false },
  { words: 'Held up', status: 'blocked', isKeyMoment: false },
  { words: 'Not needed for you', status: 'not-needed', isKeyMoment: false },
  { words: 'Exchange and completion, the two key moments', status: 'upcoming', isKeyMoment: true },
];
