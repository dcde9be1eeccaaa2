import { useAction } from '@keyturn/browser/action/use-action.ts';
import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Alert } from '../base/alert.tsx';
import { LoadFailure } from '../states/load-failure.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { AuthenticatorSecret } from './authenticator-secret.tsx';
import type { Added, AddFactorProps } from './factor-kit.ts';
import styles from './factors.module.css';

interface NewSecret {
  id: string;
  secret: string;
  uri: string;
}

interface AddAuthenticatorProps extends AddFactorProps {
  /** Creates a secret. Each start makes the earlier one useless. */
  start(): Promise<NewSecret>;
  activate(sent: { id: string; code: string; name: string }): Promise<Added>;
}

/** Adds an authenticator app: the owner scans a QR code or types a secret, and enters a code of the app. */
export function AddAuthenticator(props: AddAuthenticatorProps) {
  const { kit, start, onCancel, heading: Heading } = props;
  const { secret, failure, isStarting, restart } = useNewSecret(start);
  return (
    <div className={styles.step}>
      <Heading>Add an authenticator app</Heading>
      {failure !== null && (
        <LoadFailure
          what="The secret for your app"
          message={kit.errorText(failure)}
          onRetry={restart}
          isTrying={isStarting}
        />
      )}
      {!secret && failure === null && <Skeleton height={176} width={176} />}
      {secret && <Steps {...props} secret={secret} />}
      {!secret && (
        <kit.Buttons>
          <kit.Button look="quiet" onClick={onCancel}>
            Cancel
          </kit.Button>
        </kit.Buttons>
      )}
    </div>
  );
}

function useNewSecret(start: () => Promise<NewSecret>) {
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [isStarting, setStarting] = useState(false);
  const hasStarted = useRef(false);
  const latestStart = useRef(start);
  const restart = useCallback(() => {
    setStarting(true);
    latestStart
      .current()
      .then(setSecret, setFailure)
      .finally(() => setStarting(false));
  }, []);
  useEffect(() => {
    // React runs effects twice in development, and the second secret would replace the one on the screen.
    if (hasStarted.current) return;
    hasStarted.current = true;
    restart();
  }, [restart]);
  return { secret, failure: secret ? null : failure, isStarting, restart };
}

function Steps({
  kit,
  secret: { id, secret, uri },
  activate,
  onAdded,
  onCancel,
}: AddAuthenticatorProps & { secret: NewSecret }) {
  const [name, setName] = useState('Authenticator app');
  const { isBusy, failure, run } = useAction();
  const code = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const entered = code.current?.value.trim() ?? '';
      if (name.trim() === '') throw new UserFacingError('Enter a name for the app.');
      if (!/^\d{3}\s?\d{3}$/.test(entered))
        throw new UserFacingError('Enter the six digits that the app shows.');
      onAdded(await activate({ id, code: entered, name: name.trim() }));
    });
  };
  return (
    <>
      <AuthenticatorSecret Button={kit.Button} secret={secret} uri={uri} />
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{kit.errorText(failure)}</p>
        </Alert>
      )}
      <kit.Form onSubmit={submit}>
        <kit.Field
          ref={code}
          label="2. Code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
        />
        <kit.Field
          label="Name of the app"
          hint="So that you recognise it later."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
        />
        <kit.Buttons>
          <kit.Button type="submit" look="primary" busy={isBusy} busyText="Checking the code…">
            Add the app
          </kit.Button>
          <kit.Button look="quiet" onClick={onCancel}>
            Cancel
          </kit.Button>
        </kit.Buttons>
      </kit.Form>
    </>
  );
}
