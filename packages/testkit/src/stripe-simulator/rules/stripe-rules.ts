import { StripeApiError } from '../stripe-api-error.ts';
import type { StripeState } from '../stripe-state.ts';
import { headerRules } from './header-rules.ts';
import { intentRules } from './intent-rules.ts';
import { listRules } from './list-rules.ts';
import { metadataRules } from './metadata-rules.ts';
import { parameterRules } from './parameter-rules.ts';
import { refundRules } from './refund-rules.ts';
import { rightRules } from './right-rules.ts';
import { everyCall, type RuleRequest, type SentHeaders, type StripeRule } from './stripe-rule.ts';

/** Every rule, in the order in which they are checked. */
export const stripeRules: readonly StripeRule[] = [
  ...headerRules,
  ...rightRules,
  ...parameterRules,
  ...metadataRules,
  ...listRules,
  ...intentRules,
  ...refundRules,
];

/** @throws StripeApiError for the first rule that the key or a header breaks */
export function checkHeaders(sent: SentHeaders): void {
  for (const { id, headers } of stripeRules) if (headers?.(sent)) throw refusal(id);
}

/** @throws StripeApiError for the first rule that a request breaks */
export function checkRules(request: RuleRequest): void {
  for (const rule of stripeRules) {
    if (!rule.check || !(rule.calls.includes(request.call) || rule.calls[0] === everyCall)) continue;
    const broken = rule.check(request);
    if (!broken) continue;
    const intent = request.state.intents.get(request.id);
    throw refusal(
      rule.id,
      { ...(typeof broken === 'string' ? { param: broken } : {}), status: intent?.status ?? '' },
      intent ? { payment_intent: { ...intent } } : {},
    );
  }
}

/** The rules without the schema, for calls that tests make without HTTP. */
export const checkCall = (
  state: StripeState,
  call: string,
  { id = '', params }: { id?: string; params: object },
): void => checkRules({ call, id, params: { ...params }, differences: [], state });

/**
 * Creates the refusal of a rule.
 * @param values of the request, for the message; `param` also names the parameter
 */
export function refusal(
  id: string,
  values: Record<string, string> = {},
  more: Record<string, unknown> = {},
): StripeApiError {
  const rule = stripeRules.find((known) => known.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  const { status = 400, type, code, message, param = values.param } = rule.error;
  return new StripeApiError(
    status,
    code,
    message.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? ''),
    { ...(type ? { type } : {}), ...(param === undefined ? {} : { param }), ...more, rule: id },
  );
}
