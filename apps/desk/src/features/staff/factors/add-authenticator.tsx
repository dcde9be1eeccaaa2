import { Alert } from '@keyturn/dashboard/ui/base/alert.tsx';
import { LoadFailure } from '@keyturn/dashboard/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/dashboard/ui/states/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { encode } from 'uqr';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Form, FormButtons, TextField } from '../../../ui/forms/fields.tsx';
import type { AddFactorProps } from './add-passkey.tsx';
import styles from './factors.module.css';

/** Adds an authenticator app: the member scans a QR code or types a secret, and enters a code of the app. */
export function AddAuthenticator({ onAdded, onCancel, heading: Heading }: AddFactorProps) {
  const started = useQuery({
    queryKey: ['new-authenticator'],
    queryFn: () => callStaff('POST /staff/authenticators'),
    // Each start creates another secret, which would invalidate the one on the screen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <div className={styles.step}>
      <Heading>Add an authenticator app</Heading>
      {started.error && (
        <LoadFailure
          what="The secret for your app"
          message={errorText(started.error)}
          onRetry={() => void started.refetch()}
          isTrying={started.isFetching}
        />
      )}
      {started.isPending && <Skeleton height={176} width={176} />}
      {started.data && <Steps {...started.data} onAdded={onAdded} onCancel={onCancel} />}
      {!started.data && (
        <FormButtons>
          <Button onClick={onCancel}>Cancel</Button>
        </FormButtons>
      )}
    </div>
  );
}

function Steps({
  id,
  secret,
  uri,
  onAdded,
  onCancel,
}: Omit<AddFactorProps, 'heading'> & { id: string; secret: string; uri: string }) {
  const [name, setName] = useState('Authenticator app');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = code.current?.value.trim() ?? '';
    if (!/^\d{3}\s?\d{3}$/.test(entered) || name.trim() === '') {
      setFailure(
        name.trim() === '' ? 'Enter a name for the app.' : 'Enter the six digits that the app shows.',
      );
      return;
    }
    setFailure(null);
    setBusy(true);
    try {
      onAdded(
        await callStaff('POST /staff/authenticators/{id}/activate', {
          params: { id },
          body: { code: entered, name: name.trim() },
        }),
      );
    } catch (error) {
      setFailure(errorText(error));
      setBusy(false);
    }
  };
  return (
    <>
      <p className={styles.about}>1. Scan this with an authenticator app on your phone.</p>
      <QrCode text={uri} />
      <p className={styles.about}>Or type this secret into the app:</p>
      <code className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <Form onSubmit={submit}>
        <TextField
          ref={code}
          label="2. Code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
        />
        <TextField
          label="Name of the app"
          hint="So that you recognise it later."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
        />
        <FormButtons>
          <Button type="submit" look="primary" busy={isBusy} busyText="Checking the code…">
            Add the app
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormButtons>
      </Form>
    </>
  );
}

/** A QR code, dark on light in both themes, because cameras do not read it otherwise. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      shapeRendering="crispEdges"
      aria-label="QR code for your authenticator app"
    >
      <path d={path} />
    </svg>
  );
}
