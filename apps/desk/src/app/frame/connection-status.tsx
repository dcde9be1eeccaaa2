import { followWhenIdle } from '@keyturn/browser/channel/follow-when-idle.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getConfig } from '../../api/config.ts';
import { callStaff, readSession } from '../../api/desk-api.ts';
import { refetchCases } from '../../realtime/refetch-cases.ts';
import styles from './frame.module.css';

/** The polling interval, in milliseconds, while the real-time channel is down. */
const pollEvery = 30_000;
/** The time, in milliseconds, for which the connection may be down before the page shows it. */
const patience = 10_000;

/** Keeps the page up to date, and warns when it may be out of date. */
export function ConnectionStatus() {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    let isStopped = false;
    const stop = followWhenIdle(async () => {
      const { followDesk } = await import('../../realtime/follow-desk.ts');
      return () =>
        followDesk({
          config: getConfig(),
          call: callStaff,
          queries,
          onChange: (isLive) => !isStopped && setLive(isLive),
          onSessionEnded: () => void readSession(),
        });
    });
    return () => {
      isStopped = true;
      stop();
    };
  }, [queries]);
  useEffect(() => {
    setLate(false);
    if (isLive) return;
    const late = setTimeout(() => setLate(true), patience);
    const polling = setInterval(() => refetchCases(queries, null), pollEvery);
    return () => {
      clearTimeout(late);
      clearInterval(polling);
    };
  }, [queries, isLive]);
  return (
    <p className={styles.live} role="status">
      {isLate && 'No live connection: this page checks for changes every 30 seconds.'}
    </p>
  );
}
