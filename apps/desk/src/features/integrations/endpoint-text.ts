import type {
  WebhookDelivery,
  WebhookDeliveryResult,
  WebhookEndpoint,
  WebhookEventType,
} from '@keyturn/contract/staff';
import type { StatusTone } from '@keyturn/ui/content/status-tag.tsx';

/** The description of each event type. */
export const eventNames: Readonly<Record<WebhookEventType, string>> = {
  'client.activated': 'A client sets a first password',
  'document.read': 'A client opens a document for the first time',
  'document.signed': 'A client signs a document',
  'payment.disputed': 'A client disputes a payment',
  'payment.refund_failed': 'A refund comes back',
  'payment.refunded': 'A refund is made',
  'payment.succeeded': 'A client pays',
  'task.completed': 'A client completes a task',
};

interface State {
  tone: StatusTone;
  text: string;
}

export function endpointState({ state, is_gone }: Pick<WebhookEndpoint, 'state' | 'is_gone'>): State {
  if (state === 'enabled') return { tone: 'good', text: 'Enabled' };
  return is_gone ? { tone: 'held', text: 'Disabled: it answered 410' } : { tone: 'off', text: 'Disabled' };
}

/** Describes the event types that an endpoint receives. */
export const subscriptionOf = ({ event_types }: Pick<WebhookEndpoint, 'event_types'>): string =>
  event_types === null ? 'Every event' : event_types.map((type) => eventNames[type]).join(', ');

/** Describes the state of a delivery. */
export function deliveryState({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): State {
  if (state === 'delivered') return { tone: 'good', text: 'Delivered' };
  if (state === 'dead') return { tone: 'held', text: 'Dead letter' };
  return attempts.length === 0
    ? { tone: 'moving', text: 'Waiting' }
    : { tone: 'to-do', text: 'Being retried' };
}

/** Describes the result of an attempt: the status, or the reason why there was no answer. */
export const answerText = ({ status, error }: WebhookDeliveryResult): string =>
  status === null ? `No answer: ${error}` : `Answered ${status}`;

export const isAccepted = ({ status }: WebhookDeliveryResult): boolean =>
  status !== null && status >= 200 && status < 300;

/** Lists the references of an event: “case KT-2041, client C-1042”. */
export const referencesOf = ({
  data: { link: _link, ...references },
}: Pick<WebhookDelivery, 'data'>): string =>
  Object.entries(references)
    .map(([kind, reference]) => `${kind} ${reference}`)
    .join(', ');
