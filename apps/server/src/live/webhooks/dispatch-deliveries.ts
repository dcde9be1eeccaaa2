import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryResult,
  recordAttempt,
  releaseDelivery,
} from './deliveries-store.ts';
import { disableGoneEndpoint } from './endpoints.ts';
import { planRetry } from './plan-retry.ts';
import type { ReceiverAnswer, SendMessage } from './ports.ts';
import { signMessage } from './sign-message.ts';

export interface DispatchDependencies {
  database: Database;
  clock: Clock;
  send: SendMessage;
  /** Where clients open the dashboard. */
  dashboardUrl(): string;
  alertOperator: AlertOperator;
  onError(error: unknown): void;
  /** The interval, in milliseconds, between checks for due deliveries. */
  interval?: number;
  /** Milliseconds before each retry. */
  delays?: readonly number[];
  /** The time, in milliseconds, after which another server may repeat an attempt. */
  lease?: number;
  /** Milliseconds that a stop waits for attempts in progress. */
  stopTimeout?: number;
}

export interface Dispatcher {
  start(): void;
  /** Sends due deliveries now; called when events were recorded. */
  wake(): void;
  /** Waits a few seconds for attempts in progress, then leaves them to the next server. */
  stop(): Promise<void>;
}

/** The maximum number of concurrent attempts for each endpoint, on all servers together. */
const maxConcurrent = 8;
/** An endpoint that fails this often for one event, in about 13 minutes, needs attention. */
const failuresBeforeAlert = 5;

/** Creates the part of the server that sends recorded events. Several servers share the work. */
export function createDispatcher(options: DispatchDependencies): Dispatcher {
  // Longer than any attempt.
  const dependencies = { interval: 5_000, lease: 30_000, ...options };
  const { database, clock, onError } = dependencies;
  const attempts = createAttempts(dependencies, () => wake());
  let claiming: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const claimAll = async () => {
    try {
      while (isWoken && !isStopped) {
        isWoken = false;
        const claimed = await claimDeliveries(database, {
          now: clock(),
          lease: dependencies.lease,
          maxConcurrent,
        });
        for (const delivery of claimed) attempts.start(delivery);
      }
    } catch (error) {
      onError(error);
    }
    // Reset here rather than in a callback of the promise, so that a call made in between starts a new run.
    claiming = undefined;
  };
  const wake = () => {
    isWoken = true;
    if (!isStopped) claiming ??= claimAll();
  };
  return {
    start: () => {
      timer = setInterval(wake, dependencies.interval);
      wake();
    },
    wake,
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await claiming;
      await attempts.stop();
    },
  };
}

/** Creates the attempts in progress on this server. @param onFinished called after each */
function createAttempts(dependencies: DispatchDependencies, onFinished: () => void) {
  const { clock, alertOperator, onError, stopTimeout = 3_000 } = dependencies;
  const alertHourly = limitAlerts(alertOperator, clock);
  const inProgress = new Set<Promise<void>>();
  const aborting = new AbortController();
  // Each attempt adds a listener.
  setMaxListeners(0, aborting.signal);
  return {
    start: (delivery: ClaimedDelivery) => {
      const attempt = makeAttempt(dependencies, { delivery, signal: aborting.signal, alertHourly })
        .catch(onError)
        .finally(() => {
          inProgress.delete(attempt);
          onFinished();
        });
      inProgress.add(attempt);
    },
    stop: async () => {
      await Promise.race([Promise.all(inProgress), pause(stopTimeout, undefined, { ref: false })]);
      aborting.abort();
      await Promise.all(inProgress);
    },
  };
}

async function makeAttempt(
  { database, clock, send, dashboardUrl, alertOperator, delays }: DispatchDependencies,
  {
    delivery,
    signal,
    alertHourly,
  }: { delivery: ClaimedDelivery; signal: AbortSignal; alertHourly: ReturnType<typeof limitAlerts> },
): Promise<void> {
  const { endpointId, event, attempt } = delivery;
  const key = { endpointId, eventId: event.id, attempt };
  const startedAt = clock();
  const body = composeBody(event, dashboardUrl());
  const headers = signMessage({ id: event.id, sentAt: startedAt, body }, delivery.secrets);
  const answer = await send({ url: delivery.url, headers, body }, signal);
  if (signal.aborted && answer.status === null) {
    await releaseDelivery(database, key);
    return;
  }
  const finishedAt = clock();
  const result = resultOf(answer, delivery, { now: finishedAt, delays });
  const attempted = { ...key, startedAt, finishedAt, answer, result };
  if (answer.status === 410) {
    // One transaction, so that no other event is sent in between.
    const isDisabled = await runTransaction(database, async (transaction) => {
      const wasEnabled = await disableGoneEndpoint(transaction, { id: endpointId, now: finishedAt });
      await recordAttempt(transaction, attempted);
      return wasEnabled;
    });
    if (isDisabled)
      alertOperator('a webhook endpoint answered 410 Gone and was disabled', { endpoint: endpointId });
    return;
  }
  if (!(await recordAttempt(database, attempted))) return;
  if (result.state === 'dead') {
    alertHourly(
      `dead ${endpointId}`,
      'events could not be delivered to a webhook endpoint: send them again',
      {
        endpoint: endpointId,
        event: event.id,
      },
    );
  } else if (result.state === 'retry' && delivery.failures + 1 === failuresBeforeAlert) {
    const { status, error } = answer;
    alertHourly(`failing ${endpointId}`, 'a webhook endpoint keeps failing', {
      endpoint: endpointId,
      ...(status === null ? { error } : { status }),
    });
  }
}

function resultOf(
  { status }: ReceiverAnswer,
  { failures, retryUntil }: ClaimedDelivery,
  { now, delays }: { now: Date; delays: readonly number[] | undefined },
): DeliveryResult {
  if (status !== null && status >= 200 && status < 300) return { state: 'delivered' };
  if (status === 410) return { state: 'dead' };
  const at = planRetry(
    { failures: failures + 1, retryUntil },
    { now, random: Math.random(), ...(delays ? { delays } : {}) },
  );
  return at ? { state: 'retry', at } : { state: 'dead' };
}

/** Writes the body of a message: the same for each attempt. */
function composeBody(
  { type, occurredAt, data, path }: ClaimedDelivery['event'],
  dashboardUrl: string,
): string {
  const link = `${dashboardUrl}${path}`;
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data: { ...data, link } });
}
