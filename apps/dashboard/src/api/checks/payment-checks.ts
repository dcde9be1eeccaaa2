import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import { PaymentMethodsConfig } from '@keyturn/contract';

/* The checks that only payment screens need. The build compiles this module. */

export const isPaymentMethodsConfig = checkOf(PaymentMethodsConfig);
