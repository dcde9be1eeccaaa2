import { type PublicConfig, paymentPurposes } from '@keyturn/contract';
import { isPublicConfig } from '../checks/entity-checks.ts';

/**
 * Reads the configuration that the server wrote into the page. Returns the defaults, with the API on this origin, if it is
 * missing or invalid.
 */
export function readPublicConfig(text: string | null | undefined): PublicConfig {
  try {
    const found: unknown = JSON.parse(text ?? '');
    if (isPublicConfig(found)) return { ...found, api_base_url: found.api_base_url.replace(/\/+$/, '') };
  } catch {
    // Invalid JSON counts as missing.
  }
  return defaults;
}

const defaults: PublicConfig = {
  product_name: 'Keyturn',
  environment: 'production',
  api_base_url: '/api',
  firm: null,
  regulated_by: null,
  regulation: null,
  persisted_state: {
    storage: 'local',
    options: { prefix: 'keyturn.', max_age_days: 30, cookie_domain: null, cookie_same_site: 'strict' },
  },
  payments: {
    purposes: [...paymentPurposes],
    // The payment screens have their own defaults.
    methods: {} as PublicConfig['payments']['methods'],
    provider: 'sandbox',
    publishable_key: '',
  },
  session: { idle_after: 1_800 },
  builds: { check_every: 3_600 },
  realtime: null,
  error_reporting: null,
  data_grid: { edition: 'community', licence_key: null },
  maintenance: { general: null, case_history: null },
  demonstration: false,
  api_descriptions: false,
};
