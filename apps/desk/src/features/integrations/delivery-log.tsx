import type { WebhookDelivery, WebhookEndpoint } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, Section } from '../../ui/base/page.tsx';
import { showFailure, showToast } from '../../ui/feedback/toast-store.ts';
import { SelectField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ShowMore } from '../../ui/table/show-more.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import { answerText, deliveryState, eventNames, referencesOf } from './endpoint-text.ts';
import styles from './integrations.module.css';
import { deliveriesKey, deliveryInterval } from './use-endpoints.ts';

/** The number of events on a page of the log. */
const pageSize = 50;

/** The deliveries to an endpoint, newest first, and dead letters to send again. */
export function DeliveryLog({
  endpoint,
  onResent,
}: {
  endpoint: WebhookEndpoint;
  onResent(): Promise<unknown>;
}) {
  const { id, state, dead } = endpoint;
  const [isDead, setDead] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const found = useDeliveries(endpoint, isDead);
  const deliveries = found.data?.pages.flat();
  const open = deliveries?.find(({ event_id }) => event_id === openId);
  const resend = async (eventId?: string) => {
    const body = eventId === undefined ? {} : { event_id: eventId };
    const { resent } = await callStaff('POST /staff/webhooks/{id}/resend', { params: { id }, body });
    showToast(resent === 1 ? '1 event is being sent again.' : `${resent} events are being sent again.`);
    await onResent();
  };
  const resendOne = (eventId: string) => void resend(eventId).catch(showFailure);
  return (
    <Section
      title="Deliveries"
      actions={
        <>
          <SelectField
            label="Show"
            isInline
            value={isDead ? 'dead' : 'all'}
            options={[
              { value: 'all', name: 'Every event' },
              { value: 'dead', name: `Dead letters (${dead})` },
            ]}
            onChoose={(chosen) => setDead(chosen === 'dead')}
          />
          {dead > 0 && state === 'enabled' && (
            <Button onClick={() => setAsking(true)}>Send all dead letters again</Button>
          )}
        </>
      }
    >
      <Table
        label={isDead ? 'Dead letters' : 'Deliveries'}
        columns={columnsFor(state === 'enabled' ? resendOne : null)}
        query={{ ...found, data: deliveries }}
        keyOf={({ event_id }) => event_id}
        onOpen={({ event_id }) => setOpenId(event_id)}
        empty={
          isDead ? (
            <EmptyState title="There are no dead letters.">
              Every event was delivered, or is still being sent.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing was sent yet.">
              Events from now on appear here, and stay for 30 days.
            </EmptyState>
          )
        }
        isMain
      />
      <ShowMore query={found} />
      {open && <AttemptsDialog delivery={open} onClose={() => setOpenId(null)} />}
      {isAsking && (
        <FormDialog
          open
          onClose={() => setAsking(false)}
          title={dead === 1 ? 'Send 1 dead letter again?' : `Send ${dead} dead letters again?`}
          action="Send again"
          onSubmit={() => resend()}
        >
          <p>
            They are sent in their order and with the ids that they had, and retried for three days. Your
            system ignores an id that it has.
          </p>
        </FormDialog>
      )}
    </Section>
  );
}

/** Reads the deliveries of an endpoint in pages, and polls every few seconds while one of them is pending. */
const useDeliveries = ({ id, state }: WebhookEndpoint, isDead: boolean) =>
  useInfiniteQuery({
    queryKey: deliveriesKey(id, isDead),
    queryFn: ({ signal, pageParam }) =>
      callStaff('GET /staff/webhooks/{id}/deliveries', {
        params: { id },
        query: { ...(isDead ? { dead: true } : {}), ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.position ?? null)),
    refetchInterval: ({ state: { data } }) =>
      state === 'enabled' && data?.pages.flat().some((delivery) => delivery.state === 'pending')
        ? deliveryInterval
        : false,
  });

/** @param resend null while the endpoint is disabled */
const columnsFor = (resend: ((eventId: string) => void) | null): Column<WebhookDelivery>[] => [
  {
    key: 'event',
    heading: 'Event',
    isRowHeader: true,
    cell: (delivery) => (
      <>
        {eventNames[delivery.type]}
        <span className={styles.below}>{referencesOf(delivery)}</span>
      </>
    ),
  },
  { key: 'at', heading: 'Happened', cell: ({ occurred_at }) => formatShortMoment(occurred_at) },
  {
    key: 'state',
    heading: 'State',
    cell: (delivery) => {
      const { tone, text } = deliveryState(delivery);
      return <StatusTag tone={tone}>{text}</StatusTag>;
    },
  },
  {
    key: 'answer',
    heading: 'Last attempt',
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      if (!last) return 'None yet';
      return (
        <>
          {answerText(last)}
          <span className={styles.below}>
            {attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`},{' '}
            {formatShortMoment(last.started_at)}
          </span>
        </>
      );
    },
  },
  { key: 'next', heading: 'Next attempt', cell: nextAttempt },
  {
    key: 'actions',
    heading: 'Actions',
    isHeadingHidden: true,
    align: 'end',
    cell: ({ event_id, state }) =>
      resend !== null &&
      state !== 'pending' && (
        <Button look="plain" onClick={() => resend(event_id)}>
          Send again
        </Button>
      ),
  },
];

/** Describes when an event is sent next. An event that waits for an earlier one of its case is already due. */
function nextAttempt({ due_at }: Pick<WebhookDelivery, 'due_at'>): string {
  if (due_at === null) return 'None';
  return Date.parse(due_at) <= Date.now() ? 'As soon as possible' : formatShortMoment(due_at);
}

function AttemptsDialog({ delivery, onClose }: { delivery: WebhookDelivery; onClose(): void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={eventNames[delivery.type]}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <p className={styles.address}>
        <code>{delivery.type}</code> {referencesOf(delivery)}
        <br />
        <code>{delivery.event_id}</code>
      </p>
      {delivery.attempts.length === 0 ? (
        <p>No attempt was made yet.</p>
      ) : (
        <ol className={styles.attempts}>
          {delivery.attempts.map((attempt) => (
            <li key={attempt.started_at}>
              {answerText(attempt)}
              <span className={styles.below}>
                {formatShortMoment(attempt.started_at)}, after {attempt.milliseconds.toLocaleString('en-GB')}{' '}
                ms
              </span>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}
