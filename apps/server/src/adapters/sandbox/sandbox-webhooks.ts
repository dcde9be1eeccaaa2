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
  /** Runs before each round. @returns when the next round is needed at the latest */
  before(): Promise<Date | null>;
  onError(error: unknown): void;
}

/** Milliseconds between rounds when nothing is known to be due. */
const sweepEvery = 5_000;
/** The time, in milliseconds, for which a deliverer leases an event. */
const leaseFor = 10_000;

/** An event that this deliverer has leased. */
interface LeasedEvent {
  id: string;
  body: object;
  attempts: number;
}

/**
 * Delivers the sandbox's events over HTTP, at least once each, to any server. An event is leased to one deliverer for
 * ten seconds; if that one is killed, another delivers the event after the lease.
 */
export function deliverSandboxWebhooks(options: SandboxWebhooksOptions): SandboxWebhooks {
  const { clock } = options;
  let stopped = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;

  const kick = () => {
    if (stopped) return;
    again = true;
    round ??= work().finally(() => {
      round = undefined;
      if (again) kick();
    });
  };

  async function work() {
    clearTimeout(timer);
    let wait = sweepEvery;
    try {
      while (again && !stopped) {
        again = false;
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
    [new Date(now.getTime() + leaseFor), now],
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
    signal: AbortSignal.timeout(leaseFor / 2),
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
