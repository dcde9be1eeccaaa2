import { PaymentMethodsConfig } from '@keyturn/contract';
import { checkOf } from './check-of.ts';

/* The checks that only payment screens need. The build compiles this module. */

export const isPaymentMethodsConfig = checkOf(PaymentMethodsConfig);
