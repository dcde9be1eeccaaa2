import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { StaffRole } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import type { FormEvent, ReactNode } from 'react';
import { codeOf, errorText, fieldErrorsOf } from '../../api/client/staff-error.ts';
import { useMember } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { FormButtons } from '../../ui/forms/fields.tsx';
import { problemInWords } from './entered-members.ts';
import styles from './firm-data.module.css';

interface LoadedSettings {
  query: { data: unknown; error: unknown; isFetching: boolean; refetch(): unknown };
  stored: { changed_at: string; changed_by: string | null } | undefined;
  isChanged: boolean;
  discard(): void;
  reload(): Promise<void>;
}

/**
 * The form of a settings page: its fields, its errors, and the buttons. For members who may not change it, it is
 * read-only.
 * @param props.children receives the messages about fields, by their path in the request
 */
export function SettingsForm({
  what,
  settings,
  onSave,
  placeOf,
  editors = adminsOnly,
  children,
}: {
  /** The subject within a sentence: “the bank holidays”. */
  what: string;
  settings: LoadedSettings;
  /** Saves what was entered. */
  onSave(): Promise<unknown>;
  /** Names the part of the form that a field of the request belongs to: “Step 3”. */
  placeOf?: (field: string) => string | undefined;
  /** The roles that may change it; by default admins. */
  editors?: readonly StaffRole[];
  children: (errors: Record<string, string>) => ReactNode;
}) {
  const mayEdit = editors.includes(useMember().role);
  const { isBusy, failure, run, reset } = useAction();
  const { query, stored, isChanged } = settings;
  if (query.error && !query.data) {
    return (
      <LoadFailure
        what={what[0]?.toUpperCase() + what.slice(1)}
        message={errorText(query.error)}
        onRetry={() => void query.refetch()}
        isTrying={query.isFetching}
      />
    );
  }
  if (!stored) return <Skeleton width="60%" />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(onSave);
  };
  const errors = fieldErrorsOf(failure);
  return (
    <form method="post" noValidate onSubmit={submit}>
      <Failure
        failure={failure}
        messages={Object.entries(errors).map(([field, message]) => {
          const place = placeOf?.(field);
          return `${place ? `${place}, ` : ''}${problemInWords(field, message)}.`;
        })}
        onReload={settings.reload}
      />
      <LastChange {...stored} editors={editors} />
      <fieldset className={styles.fields} disabled={!mayEdit}>
        {children(errors)}
        {mayEdit && (
          <div className={styles.save}>
            <FormButtons>
              <Button type="submit" look="primary" busy={isBusy} busyText="Saving…" disabled={!isChanged}>
                Save changes
              </Button>
              <Button
                disabled={!isChanged || isBusy}
                onClick={() => {
                  reset();
                  settings.discard();
                }}
              >
                Discard changes
              </Button>
            </FormButtons>
          </div>
        )}
      </fieldset>
    </form>
  );
}

const adminsOnly: readonly StaffRole[] = ['admin'];

function Failure({
  failure,
  messages,
  onReload,
}: {
  failure: unknown;
  messages: readonly string[];
  onReload(): Promise<void>;
}) {
  if (failure === null) return null;
  return (
    <Alert
      tone="danger"
      takesFocus
      className={styles.notice}
      title={messages.length > 0 ? 'Nothing was saved' : undefined}
    >
      <p>{messages.length > 0 ? messages.join(' ') : errorText(failure)}</p>
      {codeOf(failure) === 'changed_meanwhile' && (
        <Button onClick={() => void onReload()}>Discard my changes and show the new version</Button>
      )}
    </Alert>
  );
}

/** Names the member who made the last change, and says that other roles have read access. */
function LastChange({
  changed_at,
  changed_by,
  editors,
}: {
  changed_at: string;
  changed_by: string | null;
  editors: readonly StaffRole[];
}) {
  const { role } = useMember();
  const today = useToday();
  return (
    <p className={styles.note}>
      {changed_by === null
        ? 'No one has changed this at the desk yet.'
        : `Last changed by ${changed_by}, ${formatEntryMoment(changed_at, today)}.`}
      {!editors.includes(role) &&
        (editors.length > 1 ? ' Only finance and admins can change it.' : ' Only admins can change it.')}
    </p>
  );
}
