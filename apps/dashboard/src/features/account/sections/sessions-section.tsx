import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { ClientSession } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useTextNow } from '@keyturn/ui/hooks/use-today.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useState } from 'react';
import { useEndSessions, useSessions } from '../../../api/queries/use-sessions.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { ActionDialog } from '../action-dialog.tsx';
import { lastUseText, startText } from './session-text.ts';

type Ending = ClientSession | 'others';

/** Lists the devices on which the client is signed in, with buttons to sign out one or all others. */
export function SessionsSection() {
  const { data: sessions, error, isFetching, refetch } = useSessions();
  const [ending, setEnding] = useState<Ending | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const ask = (next: Ending) => {
    setDone(null);
    setEnding(next);
  };
  const hasOthers = sessions?.some(({ is_current }) => !is_current) ?? false;
  return (
    <Panel title="Where you’re signed in" look="raised">
      <p className={styles.about}>If you don’t recognise a device, sign it out and change your password.</p>
      {done !== null && (
        <Alert key={done} tone="good" takesFocus className={styles.notice}>
          <p>{done}</p>
        </Alert>
      )}
      {!sessions && error && (
        <LoadFailure
          what="Your devices"
          message={messageOf(error)}
          onRetry={() => void refetch()}
          isTrying={isFetching}
        />
      )}
      {!sessions && !error && <Skeleton height={96} />}
      {sessions && (
        <ul className={styles.list}>
          {sessions.map((session) => (
            <SessionEntry key={session.id} session={session} onEnd={() => ask(session)} />
          ))}
        </ul>
      )}
      {hasOthers && (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={() => ask('others')}>
            Sign out all other devices
          </Button>
        </div>
      )}
      {ending !== null && <EndDialog ending={ending} onClose={() => setEnding(null)} onEnded={setDone} />}
    </Panel>
  );
}

function SessionEntry({ session, onEnd }: { session: ClientSession; onEnd: () => void }) {
  const start = useTextNow((now) => startText(session, now));
  const lastUse = useTextNow((now) => lastUseText(session, now));
  return (
    <li className={styles.entry}>
      <p className={styles.words}>
        <strong>{session.device}</strong>
        <span>{start}</span>
        <span>{lastUse}</span>
      </p>
      {session.is_current ? (
        <StatusTag tone="good">This device</StatusTag>
      ) : (
        <Button look="plain" aria-label={`Sign out ${session.device}: ${start}. ${lastUse}.`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Asks for confirmation before ending sessions. */
function EndDialog({
  ending,
  onClose,
  onEnded,
}: {
  ending: Ending;
  onClose: () => void;
  /** @param text what has happened */
  onEnded: (text: string) => void;
}) {
  const endSessions = useEndSessions();
  const isAll = ending === 'others';
  return (
    <ActionDialog
      title={isAll ? 'Sign out all other devices?' : `Sign out ${ending.device}?`}
      action="Sign out"
      onClose={onClose}
      onSubmit={async () => {
        await endSessions(ending).catch((error: unknown) => {
          // The session has already ended.
          if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
        });
        onEnded(isAll ? 'We’ve signed out all your other devices.' : `${ending.device} has been signed out.`);
      }}
    >
      <p>
        {isAll
          ? 'You’ll stay signed in here. You’ll need to sign in again on every other device.'
          : 'To see your case on that device, you’ll need to sign in there again.'}
      </p>
    </ActionDialog>
  );
}
