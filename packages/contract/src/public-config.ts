import { type Static, Type } from 'typebox';
import { Firm } from './entities/case-entities.ts';
import { Maintenance } from './entities/maintenance.ts';
import { Regulation } from './entities/regulation.ts';
import { AddedField, Nullable, OneOf, Pence } from './entities/values.ts';
import { broadcasters, paymentProviders, paymentPurposes, recordingConsents } from './vocabulary.ts';

/** The settings of the real-time channel, for laravel-echo. */
export const RealtimeConfig = Type.Object({
  broadcaster: OneOf(broadcasters),
  key: Type.String(),
  /** Null: the host of the page, with its scheme and port. */
  host: Nullable(Type.String()),
  port: Nullable(Type.Integer()),
  scheme: OneOf(['https', 'http']),
  /** The path before `/app/…`: empty, or with a leading slash. */
  path: Type.String(),
  /** For Pusher's own service. */
  cluster: Nullable(Type.String()),
  /** For `custom`: the URL of a module whose default export is a connector of laravel-echo. */
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

/** Where to report errors, and the sample rates of traces and recordings, from 0 (never) to 1 (always). */
export const ErrorReportingConfig = Type.Object({
  /** The DSN of a service with Sentry's protocol: `https://{public key}@{host}/{project}`. */
  dsn: Type.String(),
  environment: Type.String(),
  /** The running version, for example `keyturn@1.2.3`. The dashboard adds the id of its build. */
  release: Type.String(),
  traces_sample_rate: Type.Number(),
  replays_session_sample_rate: Type.Number(),
  replays_on_error_sample_rate: Type.Number(),
  /** Whether clients are asked before anything is recorded; only development and staging may assume it. */
  recording_consent: OneOf(recordingConsents),
  /** Whether recordings hide all text and media, instead of only what they always hide. */
  mask_all: Type.Boolean(),
});
export type ErrorReportingConfig = Static<typeof ErrorReportingConfig>;

/** The purposes that one method can pay for, and its limits. */
export const PaymentMethodConfig = Type.Object({
  purposes: Type.Array(OneOf(paymentPurposes)),
  /** Whether it can pay bills with client money too, if it can pay bills: their payments go to the client account. */
  client_money_of_bills: AddedField(Type.Boolean()),
  /**
   * Limits for a payment that is not for a search, and for all such payments for a case on one day in Europe/London.
   */
  limits: Type.Object({ min: Pence, max: Pence, daily_max: Pence }),
});
export type PaymentMethodConfig = Static<typeof PaymentMethodConfig>;

export const PaymentMethodsConfig = Type.Object({ card: PaymentMethodConfig, bank: PaymentMethodConfig });
export type PaymentMethodsConfig = Static<typeof PaymentMethodsConfig>;

/**
 * The configuration that the server adds to every page, so that one build works in every environment. It contains no
 * secrets. The page carries it as JSON in `<script type="application/json" id="keyturn-config">`.
 */
export const PublicConfig = Type.Object({
  product_name: Type.String(),
  environment: Type.String(),
  /** The URL of the client API: a path on this origin, or another origin. */
  api_base_url: Type.String(),
  firm: Nullable(Firm),
  /** The sentence that names the firm’s regulator; null until the firm has entered it. */
  regulated_by: Nullable(Type.String()),
  /** What the public pages about the firm show; null if the server has not told. */
  regulation: Nullable(Regulation),
  persisted_state: Type.Object({
    storage: OneOf(['local', 'session', 'cookie']),
    options: Type.Object({
      /** A prefix for the names of all stored entries. */
      prefix: Type.String(),
      /** This setting and the next two apply to cookies only. */
      max_age_days: Type.Integer(),
      cookie_domain: Nullable(Type.String()),
      cookie_same_site: OneOf(['strict', 'lax']),
    }),
  }),
  payments: Type.Object({
    /**
     * The purposes that can be paid by any method; empty if payments are switched off. Payments that were started
     * before can still finish.
     */
    purposes: Type.Array(OneOf(paymentPurposes)),
    methods: PaymentMethodsConfig,
    provider: OneOf(paymentProviders),
    publishable_key: Type.String(),
  }),
  session: Type.Object({
    /** Seconds of inactivity after which a sign-in ends. */
    idle_after: Type.Integer(),
  }),
  builds: Type.Object({
    /** Seconds between two checks for a newer build; 0 for no checks. */
    check_every: Type.Integer(),
  }),
  /** Null: there is no real-time channel, and the dashboard polls. */
  realtime: Nullable(RealtimeConfig),
  /** Null: errors are not reported. */
  error_reporting: Nullable(ErrorReportingConfig),
  data_grid: Type.Object({
    edition: OneOf(['community', 'enterprise']),
    licence_key: Nullable(Type.String()),
  }),
  /** The state when the page was sent. */
  maintenance: Maintenance,
  /** Whether the demonstration firm is loaded, so that the sign-in page can show how to sign in. */
  demonstration: Type.Boolean(),
  /** Whether the server serves the descriptions of its APIs, to which the desk links. */
  api_descriptions: Type.Boolean(),
});
export type PublicConfig = Static<typeof PublicConfig>;
