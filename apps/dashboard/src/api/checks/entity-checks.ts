import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import { ClientProfile, Firm, Nullable, PublicConfig } from '@keyturn/contract';

/* The checks that the sign-in page needs. The build compiles this module. */

export const isFirm = checkOf(Firm);

export const isClientProfile = checkOf(ClientProfile);

/** Any object: the chunks that use these settings check their fields. */
const checkedLater = Nullable({ type: 'object', required: [] });

export const isPublicConfig = checkOf({
  ...PublicConfig,
  properties: {
    ...PublicConfig.properties,
    payments: {
      ...PublicConfig.properties.payments,
      properties: {
        ...PublicConfig.properties.payments.properties,
        methods: { type: 'object', required: [] },
      },
    },
    regulation: checkedLater,
    realtime: checkedLater,
    error_reporting: checkedLater,
  },
} as unknown as typeof PublicConfig);
