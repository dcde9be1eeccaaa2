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
export function LiveUpdates() {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  const [isLate, setLate] = useState(false);
  useEffect(() => followWhenIdle(queries, setLive), [queries]);
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

/**
 * Connects once the page is idle, so that the first view does not wait for the library.
 * @returns a function that disconnects
 */
function followWhenIdle(
  queries: ReturnType<typeof useQueryClient>,
  onChange: (isLive: boolean) => void,
): () => void {
  let stop = () => {};
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout>;
  const start = () => {
    import('../../realtime/follow-desk.ts').then(
      ({ followDesk }) => {
        if (isStopped) return;
        stop = followDesk({
          config: getConfig(),
          call: callStaff,
          queries,
          onChange: (isLive) => !isStopped && onChange(isLive),
          onSessionEnded: () => void readSession(),
        });
      },
      () => {
        if (!isStopped) timer = setTimeout(start, pollEvery);
      },
    );
  };
  timer = setTimeout(start, 500);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    stop();
  };
}
