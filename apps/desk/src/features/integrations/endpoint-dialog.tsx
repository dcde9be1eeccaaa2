import { type WebhookEndpoint, type WebhookEventType, webhookEventTypes } from '@keyturn/contract/staff';
import { Choice } from '@keyturn/ui/forms/choice.tsx';
import { useId, useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { eventNames } from './endpoint-text.ts';
import styles from './integrations.module.css';
import { RotateSecretDialog, SecretDialog, type WithSecret } from './secret-dialog.tsx';

/** What a dialog about an endpoint is for. */
export type AskedAboutEndpoints =
  | { kind: 'create' }
  | { kind: 'change' | 'rotate' | 'disable' | 'delete'; endpoint: WebhookEndpoint }
  | { kind: 'secret'; secret: string };

/** Shows the dialog that a page has opened. */
export function EndpointDialog({
  asked,
  onAsk,
  onDone,
}: {
  asked: AskedAboutEndpoints | null;
  /** Null closes the dialog. */
  onAsk(asked: AskedAboutEndpoints | null): void;
  onDone(kind: AskedAboutEndpoints['kind']): Promise<unknown>;
}) {
  if (!asked) return null;
  const onClose = () => onAsk(null);
  const onSecret = async (secret: string) => {
    onAsk({ kind: 'secret', secret });
    await onDone(asked.kind);
  };
  if (asked.kind === 'secret') return <SecretDialog secret={asked.secret} onClose={onClose} />;
  if (asked.kind === 'create') return <CreateEndpointDialog onClose={onClose} onSecret={onSecret} />;
  const { kind, endpoint } = asked;
  const params = { id: endpoint.id };
  if (kind === 'rotate') {
    return (
      <RotateSecretDialog
        name={endpoint.description}
        hint="Meanwhile each message is signed with both, so that you can change it in your system at any time."
        rotate={(hours) =>
          callStaff('POST /staff/webhooks/{id}/rotate', { params, body: { overlap_hours: hours } })
        }
        onClose={onClose}
        onSecret={onSecret}
      />
    );
  }
  if (kind === 'change')
    return <ChangeEndpointDialog endpoint={endpoint} onClose={onClose} onDone={() => onDone(kind)} />;
  const { title, action, text, done, call } = ends[kind];
  return (
    <FormDialog
      open
      onClose={onClose}
      title={title(endpoint.description)}
      action={action}
      look="danger"
      onSubmit={async () => {
        await callStaff(call, { params });
        showToast(done(endpoint.description));
        await onDone(kind);
      }}
    >
      <p>{text}</p>
    </FormDialog>
  );
}

const ends = {
  disable: {
    call: 'POST /staff/webhooks/{id}/disable',
    title: (name: string) => `Disable ${name}?`,
    action: 'Disable the endpoint',
    text: 'Waiting events are kept for 30 days and sent when you enable it again. Events from now until then are not kept for it.',
    done: (name: string) => `${name} is disabled.`,
  },
  delete: {
    call: 'DELETE /staff/webhooks/{id}',
    title: (name: string) => `Delete ${name}?`,
    action: 'Delete the endpoint',
    text: 'Its secrets stop working, and events waiting for it are never sent. This can’t be undone.',
    done: (name: string) => `${name} is deleted.`,
  },
} as const;

interface EnteredEndpoint {
  description: string;
  /** Null: every type. */
  eventTypes: readonly WebhookEventType[] | null;
}

function CreateEndpointDialog({ onClose, onSecret }: WithSecret) {
  const [url, setUrl] = useState('https://');
  const [entered, setEntered] = useState<EnteredEndpoint>({ description: '', eventTypes: null });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Create an endpoint"
      action="Create the endpoint"
      onSubmit={async () => {
        const body = { url: url.trim(), ...bodyOf(entered) };
        const { secret } = await callStaff('POST /staff/webhooks', { body });
        // Runs after this dialog has closed itself.
        setTimeout(() => void onSecret(secret));
      }}
    >
      {(errors) => (
        <>
          <TextField
            label="Address"
            hint="Starts with https and is on the public internet."
            type="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={2000}
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={
              errors.url && 'Enter the address of your system, such as https://cases.example.com/keyturn.'
            }
          />
          <EndpointFields entered={entered} onChange={setEntered} errors={errors} />
        </>
      )}
    </FormDialog>
  );
}

function ChangeEndpointDialog({
  endpoint,
  onClose,
  onDone,
}: {
  endpoint: WebhookEndpoint;
  onClose(): void;
  onDone(): Promise<unknown>;
}) {
  const { id, description, event_types: eventTypes } = endpoint;
  const [entered, setEntered] = useState<EnteredEndpoint>({ description, eventTypes });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Change ${description}`}
      action="Save changes"
      onSubmit={async () => {
        await callStaff('PUT /staff/webhooks/{id}', { params: { id }, body: bodyOf(entered) });
        showToast(`${entered.description.trim()} saved.`);
        await onDone();
      }}
    >
      {(errors) => (
        <>
          <EndpointFields entered={entered} onChange={setEntered} errors={errors} />
          <p className={styles.note}>
            The address can’t be changed: create another endpoint, and delete this one when its events have
            arrived.
          </p>
        </>
      )}
    </FormDialog>
  );
}

const bodyOf = ({ description, eventTypes }: EnteredEndpoint) => ({
  description: description.trim(),
  event_types: eventTypes && [...eventTypes],
});

function EndpointFields({
  entered,
  onChange,
  errors,
}: {
  entered: EnteredEndpoint;
  onChange(entered: EnteredEndpoint): void;
  errors: Record<string, string>;
}) {
  const id = useId();
  const { eventTypes } = entered;
  const choose = (chosen: EnteredEndpoint['eventTypes']) => onChange({ ...entered, eventTypes: chosen });
  return (
    <>
      <TextField
        label="Which system it is"
        autoComplete="off"
        maxLength={200}
        value={entered.description}
        onChange={({ currentTarget }) => onChange({ ...entered, description: currentTarget.value })}
        error={errors.description && 'Enter a name, such as Case management.'}
      />
      <fieldset className={styles.choices}>
        <legend>It is notified about</legend>
        <Choice
          id={`${id}-all`}
          name={id}
          checked={eventTypes === null}
          onChoose={() => choose(null)}
          hint="Also about kinds of events that later versions of Keyturn add."
        >
          Every event
        </Choice>
        <Choice
          id={`${id}-some`}
          name={id}
          checked={eventTypes !== null}
          onChoose={() => choose(eventTypes ?? [])}
        >
          Some events
        </Choice>
      </fieldset>
      {eventTypes !== null && (
        <fieldset className={styles.types}>
          <legend>Events</legend>
          {webhookEventTypes.map((type) => (
            <label key={type}>
              <input
                type="checkbox"
                checked={eventTypes.includes(type)}
                onChange={() =>
                  choose(webhookEventTypes.filter((each) => eventTypes.includes(each) !== (each === type)))
                }
              />
              <span>
                {eventNames[type]} <code>{type}</code>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {errors.event_types && <p className={styles.error}>Choose at least one event.</p>}
    </>
  );
}
