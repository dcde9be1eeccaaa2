import { type Static, Type } from 'typebox';
import { paymentSteps } from '../vocabulary.ts';
import { Nullable, OneOf } from './values.ts';

/* The firm’s rules for what its clients can pay. */

const UpTo = Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }));

/**
 * Pence: up to how much clients pay in a day for a case without having been asked; null: only what the firm has asked for. Bills
 * are always asked for.
 */
export const unaskedLimits = (options: { additionalProperties?: false } = {}) =>
  Type.Object(
    {
      money_on_account: UpTo,
      identity_check: UpTo,
      search_pack: UpTo,
      leasehold_pack: UpTo,
      indemnity_insurance: UpTo,
      other: UpTo,
    },
    options,
  );
export type UnaskedLimits = Static<ReturnType<typeof unaskedLimits>>;

const Step = OneOf(paymentSteps);

/** The step of the matter that comes before a payment, by its purpose. */
export const stepsBefore = (options: { additionalProperties?: false } = {}) =>
  Type.Object(
    {
      search: Step,
      money_on_account: Step,
      identity_check: Step,
      search_pack: Step,
      legal_fees: Step,
      leasehold_pack: Step,
      indemnity_insurance: Step,
      other: Step,
    },
    options,
  );
export type StepsBefore = Static<ReturnType<typeof stepsBefore>>;

/** The rules as clients get them. */
export const ShownPaymentRules = Type.Object({ unasked: unaskedLimits(), not_before: stepsBefore() });
export type ShownPaymentRules = Static<typeof ShownPaymentRules>;
