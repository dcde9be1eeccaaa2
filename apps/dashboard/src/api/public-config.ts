import { type PublicConfig, paymentProviders } from '@keyturn/contract';
import { isFlag, isNullOr, isOneOf, isRecordOf, isText } from './check.ts';
import { isFirm } from './entity-checks.ts';

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

const isPublicConfig = isRecordOf<PublicConfig>({
  product_name: isText,
  environment: isText,
  api_base_url: isText,
  firm: isNullOr(isFirm),
  persisted_state: isRecordOf<PublicConfig['persisted_state']>({
    storage: isOneOf(['local', 'session', 'cookie']),
  }),
  payments: isRecordOf<PublicConfig['payments']>({
    provider: isOneOf(paymentProviders),
    publishable_key: isText,
  }),
  demonstration: isFlag,
});

const defaults: PublicConfig = {
  product_name: 'Keyturn',
  environment: 'production',
  api_base_url: '/api',
  firm: null,
  persisted_state: { storage: 'local' },
  payments: { provider: 'sandbox', publishable_key: '' },
  demonstration: false,
};
