import type Stripe from 'stripe';
import { describedVersion } from './description/assert-described.ts';
import { isWithin, listPage, matches, type StripePage } from './list-page.ts';
import { resourceMissing } from './stripe-api-error.ts';
import { newId, nowOf, type StripeState } from './stripe-state.ts';

/** An event with the state of its object at that time. */
export type StoredEvent = Stripe.EventBase;

/** The events of an account, which Stripe keeps for 30 days. */
export interface StripeEvents {
  find(id: string): StoredEvent;
  list(params: Stripe.EventListParams): StripePage<StoredEvent>;
}

/** Seconds that Stripe keeps events. */
const retention = 30 * 86_400;

/** Creates an event. Its object contains ids where a call could expand objects. */
export function createEvent(
  state: Pick<StripeState, 'clock' | 'isLive'>,
  type: Stripe.Event.Type,
  object: { object: string },
  previous?: Record<string, unknown>,
): StoredEvent {
  return {
    id: newId('evt'),
    object: 'event',
    api_version: describedVersion,
    created: nowOf(state),
    data: {
      object: JSON.parse(JSON.stringify(object)),
      ...(previous ? { previous_attributes: previous } : {}),
    },
    livemode: state.isLive,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

/** Creates the operations on the events of an account. */
export function createEvents(
  state: Pick<StripeState, 'clock'>,
  events: ReadonlyMap<string, StoredEvent>,
): StripeEvents {
  const kept = () => [...events.values()].filter(({ created }) => created > nowOf(state) - retention);
  return {
    find: (id) => {
      const event = kept().find((candidate) => candidate.id === id);
      if (!event) throw resourceMissing('event', id);
      return event;
    },
    list: (params) => {
      const found = kept().filter(
        ({ created, type }) =>
          isWithin(created, params.created) &&
          matches<string>(params.type, type) &&
          (params.types === undefined || params.types.includes(type)),
      );
      return listPage('/v1/events', found, params);
    },
  };
}
