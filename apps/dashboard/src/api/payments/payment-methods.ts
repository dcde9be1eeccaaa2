import {
  type PaymentMethod,
  type PaymentMethodConfig,
  type PaymentMethodsConfig,
  type PaymentPurpose,
  type PublicConfig,
  paymentMethods,
} from '@keyturn/contract';
import { isPaymentMethodsConfig } from '../checks/payment-checks.ts';
import { useServices } from '../services/services.ts';

/** How a client can pay, as the server configured it. */
export function useMethodsConfig(): PaymentMethodsConfig {
  return readMethodsConfig(useServices().config.payments);
}

/** Reads the settings of both methods; only cards, within the usual limits, if they are missing. */
export const readMethodsConfig = ({ methods, purposes }: PublicConfig['payments']): PaymentMethodsConfig =>
  isPaymentMethodsConfig(methods)
    ? methods
    : {
        card: { purposes, limits: { min: 1_00, max: 5_000_00, daily_max: 10_000_00 } },
        bank: { purposes: [], limits: { min: 0, max: 0, daily_max: 0 } },
      };

/**
 * Lists the methods by which something can be paid, cards first.
 * @param amount pence; null for a search, which has no limit
 * @param paysClientMoney whether a payment of a bill contains client money
 */
export const methodsFor = (
  config: PaymentMethodsConfig,
  {
    purpose,
    amount,
    paysClientMoney = false,
  }: { purpose: PaymentPurpose; amount: number | null; paysClientMoney?: boolean | undefined },
): PaymentMethod[] =>
  paymentMethods.filter((method) => {
    const { purposes, limits } = config[method];
    return (
      purposes.includes(purpose) &&
      (!paysClientMoney || purpose !== 'legal_fees' || config[method].client_money_of_bills !== false) &&
      (amount === null || (amount >= limits.min && amount <= limits.max))
    );
  });

/** The smallest and the largest amount of a payment in pence, and the method that has the largest. */
export interface AmountLimits extends Pick<PaymentMethodConfig['limits'], 'min' | 'max'> {
  method: PaymentMethod;
}

/** @param purpose null while it is not chosen */
export function limitsFor(config: PaymentMethodsConfig, purpose: PaymentPurpose | null): AmountLimits {
  const accepted = paymentMethods.filter(
    (method) => purpose === null || config[method].purposes.includes(purpose),
  );
  const usable = accepted.filter((method) => config[method].purposes.length > 0);
  const [first = 'card', ...others] = usable;
  return others.reduce<AmountLimits>(
    (widest, method) => {
      const { min, max } = config[method].limits;
      return {
        min: Math.min(widest.min, min),
        max: Math.max(widest.max, max),
        method: max > widest.max ? method : widest.method,
      };
    },
    { min: config[first].limits.min, max: config[first].limits.max, method: first },
  );
}
