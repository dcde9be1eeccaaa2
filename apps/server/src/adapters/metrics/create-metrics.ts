import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';

export interface MetricsOptions {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** What of the database's own is counted, each time the figures are asked for. */
  counts: CountedInDatabase[];
  /** Of the real-time channel on this server. */
  channel(): { connections: number; published: number };
  alertOperator: AlertOperator;
}

/** Rows of a number each, whose other fields are words of which there are few. */
export interface CountedInDatabase {
  name: string;
  help: string;
  labels: readonly string[];
  count(): Promise<{ labels: Record<string, string>; value: number }[]>;
}

export interface Metrics {
  contentType: string;
  /** An HTTP request that was answered. `route` is its pattern. */
  onAnswered(answered: { method: string; route: string; status: number; seconds: number }): void;
  /** A request that was sent away, because there are too many. */
  onShed(): void;
  /** In the form that Prometheus reads. */
  text(): Promise<string>;
}

/** The figures of this server. No label says whose anything is, and none has more values than a table in the code. */
export function createMetrics({ pool, counts, channel, alertOperator }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Of the process and its event loop.
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'keyturn_http_request_duration_seconds',
    help: 'HTTP requests by pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const shed = new Counter({
    name: 'keyturn_http_requests_shed_total',
    help: 'Requests that were sent away because the server could not keep up.',
    registers,
  });
  new Gauge({
    name: 'keyturn_database_connections',
    help: 'Connections of the pool; waiting: work that waits for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new Gauge({
    name: 'keyturn_channel_connections',
    help: 'Connections of the real-time channel on this server.',
    registers,
    collect() {
      this.set(channel().connections);
    },
  });
  new Gauge({
    name: 'keyturn_channel_published',
    help: 'Events that this server has published on the real-time channel since it started.',
    registers,
    collect() {
      this.set(channel().published);
    },
  });
  for (const { name, help, labels, count } of counts) {
    new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers,
      async collect() {
        this.reset();
        try {
          for (const row of await count()) this.set(row.labels, row.value);
        } catch (error) {
          // The database is away: all the other figures tell of it.
          alertOperator('figures cannot be read', { figures: name, reason: describeError(error).message });
        }
      },
    });
  }
  return {
    contentType: registry.contentType,
    onAnswered: ({ seconds, status, ...labels }) =>
      requests.observe({ ...labels, status: String(status) }, seconds),
    onShed: () => shed.inc(),
    text: () => registry.metrics(),
  };
}
