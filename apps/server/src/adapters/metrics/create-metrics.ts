import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AlertKind, AlertOperator } from '../../platform/alert-operator.ts';
import { describeError } from '../../platform/describe-error.ts';

export interface MetricsOptions {
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** Counts that are read from the database each time the metrics are requested. */
  counts: CountedInDatabase[];
  /** Returns the counts of the real-time channel on this server. */
  channel(): {
    connections: number;
    published: number;
    network: { received: number; redis: { isConnected: boolean; isRelay: boolean } | null };
  };
  alertOperator: AlertOperator;
  /** Returns the number of alerts of each kind since the start. */
  alertCounts(): ReadonlyMap<AlertKind, number>;
}

/** A gauge with one value per combination of labels, which must have few distinct values. */
export interface CountedInDatabase {
  name: string;
  help: string;
  labels: readonly string[];
  count(): Promise<{ labels: Record<string, string>; value: number }[]>;
}

export interface Metrics {
  contentType: string;
  /** Records an answered HTTP request. `route` is its pattern. */
  onAnswered(answered: { method: string; route: string; status: number; seconds: number }): void;
  /** Records a request that was rejected because of load. */
  onShed(): void;
  /** Records an attempt to sign in. */
  onSignIn(attempt: { outcome: string; device: string }): void;
  /** Returns the metrics in the Prometheus text format. */
  text(): Promise<string>;
}

/** Creates the metrics of this server. No label identifies a client, and each has a fixed, small set of values. */
export function createMetrics({
  pool,
  counts,
  channel,
  alertOperator,
  alertCounts,
}: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Metrics of the process and its event loop.
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'keyturn_http_request_duration_seconds',
    help: 'HTTP requests by pattern and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  /** Cached by method, route and status, because looking the labels up costs more than counting. */
  const countedRequests = new Map<string, ReturnType<typeof requests.labels>>();
  const shed = new Counter({
    name: 'keyturn_http_requests_shed_total',
    help: 'Requests rejected because the server was overloaded.',
    registers,
  });
  const signIns = new Counter({
    name: 'keyturn_sign_in_attempts_total',
    help: 'Attempts to sign in by outcome, from devices that are known for the client and from unknown ones.',
    labelNames: ['outcome', 'device'],
    registers,
  });
  new Gauge({
    name: 'keyturn_database_connections',
    help: 'Connections of the pool; waiting: callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  new Counter({
    name: 'keyturn_operator_alerts_total',
    help: 'Alerts in the log that the operator has to act on, by what they are about.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      // Also those of zero, because Prometheus sees an increase only from an earlier value.
      for (const [kind, count] of alertCounts()) this.inc({ kind }, count);
    },
  });
  addChannelMetrics(registry, channel);
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
          // The database is unavailable: the other metrics are still reported. Zero would look like a loss of data.
          if (labels.length === 0) this.remove();
          alertOperator('metrics could not be read', { metric: name, reason: describeError(error).message });
        }
      },
    });
  }
  return {
    contentType: registry.contentType,
    onAnswered: ({ method, route, status, seconds }) => {
      const name = `${method} ${route} ${status}`;
      let counted = countedRequests.get(name);
      if (!counted) {
        counted = requests.labels(method, route, String(status));
        countedRequests.set(name, counted);
      }
      counted.observe(seconds);
    },
    onShed: () => shed.inc(),
    onSignIn: ({ outcome, device }) => signIns.inc({ outcome, device }),
    text: () => registry.metrics(),
  };
}

function addChannelMetrics(registry: Registry, channel: MetricsOptions['channel']): void {
  const add = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  add(
    'keyturn_channel_connections',
    'Connections of the real-time channel on this server.',
    () => channel().connections,
  );
  add(
    'keyturn_channel_published',
    'Events published on the real-time channel by this server since it started.',
    () => channel().published,
  );
  add(
    'keyturn_channel_received',
    'Messages with events that PostgreSQL or Redis has sent to this server since it started.',
    () => channel().network.received,
  );
  new Gauge({
    name: 'keyturn_channel_redis',
    help: 'Whether this server is connected to Redis, and whether it publishes events there; nothing without Redis.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { redis } = channel().network;
      if (!redis) return;
      this.set({ state: 'connected' }, Number(redis.isConnected));
      this.set({ state: 'relay' }, Number(redis.isRelay));
    },
  });
}
