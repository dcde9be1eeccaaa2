import { type Static, Type } from 'typebox';
import { Firm, Maintenance, Nullable, OneOf, Pence } from './entities.ts';
import { broadcasters, paymentProviders } from './vocabulary.ts';

/** The real-time channel, as laravel-echo takes it. */
export const RealtimeConfig = Type.Object({
  broadcaster: OneOf(broadcasters),
  key: Type.String(),
  /** Null: where the page comes from, by the page's own scheme and port. */
  host: Nullable(Type.String()),
  port: Nullable(Type.Integer()),
  scheme: OneOf(['https', 'http']),
  /** Before `/app/…`; empty, or beginning with a slash. */
  path: Type.String(),
  /** Of Pusher's own service. */
  cluster: Nullable(Type.String()),
  /** For `custom`: the address of a module whose default export is a connector of laravel-echo. */
  module: Nullable(Type.String()),
  namespace: Type.String(),
  auth_endpoint: Type.String(),
  user_auth_endpoint: Type.String(),
  /** Seconds. */
  activity_timeout: Type.Integer(),
  pong_timeout: Type.Integer(),
  unavailable_timeout: Type.Integer(),
});
export type RealtimeConfig = Static<typeof RealtimeConfig>;

/** Where errors are reported to, and how much besides. Rates go from 0, for never, to 1. */
export const ErrorReportingConfig = Type.Object({
  /** Of a service that speaks Sentry's protocol: `https://{public key}@{host}/{project}`. */
  dsn: Type.String(),
  environment: Type.String(),
  /** Which version it is that fails: `keyturn@1.2.3`. The dashboard adds the build of its page. */
  release: Type.String(),
  traces_sample_rate: Type.Number(),
  replays_session_sample_rate: Type.Number(),
  replays_on_error_sample_rate: Type.Number(),
  /** In recordings: whether all text and media are hidden, and not alone what always is. */
  mask_all: Type.Boolean(),
});
export type ErrorReportingConfig = Static<typeof ErrorReportingConfig>;

/**
 * What the server tells every browser, inside the page, so that one build serves every environment. It holds
 * no secret. The page carries it as JSON in `<script type="application/json" id="keyturn-config">`.
 */
export const PublicConfig = Type.Object({
  product_name: Type.String(),
  environment: Type.String(),
  /** Where the client API is: a path of this origin, or another origin. */
  api_base_url: Type.String(),
  firm: Nullable(Firm),
  persisted_state: Type.Object({
    storage: OneOf(['local', 'session', 'cookie']),
    options: Type.Object({
      /** Before the name of everything that is kept. */
      prefix: Type.String(),
      /** The last three for cookies alone: how long at most, for which hosts, and sent along from where. */
      max_age_days: Type.Integer(),
      cookie_domain: Nullable(Type.String()),
      cookie_same_site: OneOf(['strict', 'lax']),
    }),
  }),
  payments: Type.Object({
    provider: OneOf(paymentProviders),
    publishable_key: Type.String(),
    /** Of a payment that is for no search, and of all of them for a case in a day of Europe/London. */
    limits: Type.Object({ min: Pence, max: Pence, daily_max: Pence }),
  }),
  session: Type.Object({
    /** Seconds without use after which a sign-in ends. */
    idle_after: Type.Integer(),
  }),
  builds: Type.Object({
    /** Seconds between two looks for a newer build; 0: none. */
    check_every: Type.Integer(),
  }),
  /** Null: there is none, and the dashboard asks now and then. */
  realtime: Nullable(RealtimeConfig),
  /** Null: errors are reported nowhere. */
  error_reporting: Nullable(ErrorReportingConfig),
  data_grid: Type.Object({
    edition: OneOf(['community', 'enterprise']),
    licence_key: Nullable(Type.String()),
  }),
  /** As it was when the page was sent. */
  maintenance: Maintenance,
  /** The demonstration firm is loaded: sign-in may say how to get in. */
  demonstration: Type.Boolean(),
});
export type PublicConfig = Static<typeof PublicConfig>;
