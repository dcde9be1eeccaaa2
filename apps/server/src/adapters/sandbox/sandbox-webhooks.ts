import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { signatureHeader, signWebhook } from './sandbox-signature.ts';

export interface SandboxWebhooks {
  /** Delivers due events soon; call it after every change. Cheap when nothing is due. */
  kick(): void;
  /** Stops after the deliveries in progress. */
  stop(): Promise<void>;
}

export interface SandboxWebhooksOptions {
  pool: pg.Pool;
  clock: Clock;
  secret: string;
  /** The address for webhooks; null while the server does not listen. */
  url(): string | null;
  /** Runs before each round. @returns the time by which the next round is needed */
  before(): Promise<Date | null>;
  onError(error: unknown): void;
}

/** Milliseconds between rounds when nothing is known to be due. */
const sweepInterval = 5_000;
/** The time, in milliseconds, for which a worker leases an event. */
const leaseDuration = 10_000;

/** An event that this worker has leased. */
interface LeasedEvent {
  id: string;
  body: object;
  attempts: number;
}

/**
 * Delivers each of the sandbox's events over HTTP at least once, to any server. One worker leases an event for ten
 * seconds; if that worker is killed, another one delivers the event after the lease.
 */
export function deliverSandboxWebhooks(options: SandboxWebhooksOptions): SandboxWebhooks {
  const { clock } = options;
  let stopped = false;
  let needsAnotherRound = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  const kick = () => {
    if (stopped) return;
    needsAnotherRound = true;
    round ??= work().finally(() => {
      round = undefined;
      if (needsAnotherRound) kick();
    });
  };

  async function work() {
    clearTimeout(timer);
    let wait = sweepInterval;
    try {
      while (needsAnotherRound && !stopped) {
        needsAnotherRound = false;
        const due = await options.before();
        if (due) wait = Math.min(wait, Math.max(20, due.getTime() - clock().getTime()));
        await deliverDueEvents(options);
      }
    } catch (error) {
      options.onError(error);
    }
    if (!stopped) timer = setTimeout(kick, wait);
  }

  return {
    kick,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

async function deliverDueEvents(options: SandboxWebhooksOptions): Promise<void> {
  for (let events = await leaseEvents(options); events.length > 0; events = await leaseEvents(options)) {
    await Promise.all(events.map((event) => deliver(options, event)));
  }
}

async function leaseEvents({ pool, clock, url }: SandboxWebhooksOptions): Promise<LeasedEvent[]> {
  const now = clock();
  const { rows } = await pool.query<LeasedEvent>(
    `update sandbox_events set attempts = attempts + 1, next_attempt_at = $1
     where id in (select id from sandbox_events where delivered_at is null and next_attempt_at <= $2
                  order by next_attempt_at limit 10 for update skip locked)
     returning id, body, attempts`,
    [new Date(now.getTime() + leaseDuration), now],
  );
  return url() === null ? [] : rows;
}

async function deliver(
  { pool, clock, secret, url }: SandboxWebhooksOptions,
  event: LeasedEvent,
): Promise<void> {
  const body = JSON.stringify(event.body);
  const isAccepted = await fetch(url() ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: signWebhook(body, secret, clock()),
    },
    body,
    signal: AbortSignal.timeout(leaseDuration / 2),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (isAccepted) {
    await pool.query('update sandbox_events set delivered_at = $2 where id = $1', [event.id, clock()]);
    return;
  }
  // 1 s, 2 s, 4 s … up to an hour.
  const wait = Math.min(2 ** (event.attempts - 1) * 1_000, 3_600_000);
  const nextAttempt = new Date(clock().getTime() + wait);
  await pool.query('update sandbox_events set next_attempt_at = $2 where id = $1', [event.id, nextAttempt]);
}
