import { type PublicConfig, paymentProviders } from '@keyturn/contract';
import { isBoolean, isInteger, isNullOr, isObjectOf, isOneOf, isString } from '../checks/check.ts';
import { isFirm, isMaintenance } from '../checks/entity-checks.ts';

/**
 * What the server wrote into the page. A page without it, or with something else, works as a plain installation
 * of this origin.
 */
export function readPublicConfig(text: string | null | undefined): PublicConfig {
  try {
    const found: unknown = JSON.parse(text ?? '');
    if (isPublicConfig(found)) return { ...found, api_base_url: found.api_base_url.replace(/\/+$/, '') };
  } catch {
    // No JSON: as if there were none.
  }
  return defaults;
}

const isPublicConfig = isObjectOf<PublicConfig>({
  product_name: isString,
  environment: isString,
  api_base_url: isString,
  firm: isNullOr(isFirm),
  persisted_state: isObjectOf<PublicConfig['persisted_state']>({
    storage: isOneOf(['local', 'session', 'cookie']),
    options: isObjectOf<PublicConfig['persisted_state']['options']>({
      prefix: isString,
      max_age_days: isInteger,
      cookie_domain: isNullOr(isString),
      cookie_same_site: isOneOf(['strict', 'lax']),
    }),
  }),
  payments: isObjectOf<PublicConfig['payments']>({
    provider: isOneOf(paymentProviders),
    publishable_key: isString,
    limits: isObjectOf<PublicConfig['payments']['limits']>({
      min: isInteger,
      max: isInteger,
      daily_max: isInteger,
    }),
  }),
  session: isObjectOf<PublicConfig['session']>({ idle_after: isInteger }),
  builds: isObjectOf<PublicConfig['builds']>({ check_every: isInteger }),
  // Checked where they are used, which is not in the first view.
  realtime: isLater<PublicConfig['realtime']>,
  error_reporting: isLater<PublicConfig['error_reporting']>,
  data_grid: isObjectOf<PublicConfig['data_grid']>({
    edition: isOneOf(['community', 'enterprise']),
    licence_key: isNullOr(isString),
  }),
  maintenance: isMaintenance,
  demonstration: isBoolean,
});

function isLater<T>(value: unknown): value is T {
  return typeof value === 'object';
}

const defaults: PublicConfig = {
  product_name: 'Keyturn',
  environment: 'production',
  api_base_url: '/api',
  firm: null,
  persisted_state: {
    storage: 'local',
    options: { prefix: 'keyturn.', max_age_days: 30, cookie_domain: null, cookie_same_site: 'strict' },
  },
  payments: {
    provider: 'sandbox',
    publishable_key: '',
    limits: { min: 1_00, max: 5_000_00, daily_max: 10_000_00 },
  },
  session: { idle_after: 1_800 },
  builds: { check_every: 3_600 },
  realtime: null,
  error_reporting: null,
  data_grid: { edition: 'community', licence_key: null },
  maintenance: { general: null, case_history: null },
  demonstration: false,
};
