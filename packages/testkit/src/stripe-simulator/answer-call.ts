import { assertAnswer, pageOf } from './description/assert-described.ts';
import type { StripeSchema } from './description/description.ts';
import { readParams } from './description/read-params.ts';
import { differencesFrom, schemaOf } from './description/validate.ts';
import { checkExpansion, expandObject, readExpandPaths } from './expand.ts';
import { readForm } from './read-form.ts';
import { createRightCheck, rightOfCall } from './rights.ts';
import { findRoute, type StripeRoute } from './routes.ts';
import type { RuleRequest } from './rules/stripe-rule.ts';
import { checkRules, refusal } from './rules/stripe-rules.ts';
import type { StripeAccount } from './stripe-account.ts';
import { StripeApiError } from './stripe-api-error.ts';

/**
 * Executes a call of Stripe's API.
 * @param call.url path and query
 * @param call.key the secret key that authorises it
 * @returns the object of the answer
 * @throws StripeApiError for a call that Stripe would reject
 * @throws DescriptionMismatch for an answer that Stripe could not give
 */
export function answerCall(
  account: StripeAccount,
  { method, url, body, key }: { method: string; url: string; body: string; key: string },
): object {
  const [path = '', query = ''] = url.split('?');
  const found = findRoute(method, path);
  if (!found) throw refusal('url-unknown', { call: `${method}: ${path}` });
  const { route, id } = found;
  const { operations } = account;
  const check = createRightCheck({ accountId: account.id, key, lacks: account.rightsLackedBy(key) });
  check(rightOfCall(route.name));
  const { params, ...sent } = paramsOf(route, {
    text: method === 'GET' ? query : body,
    isFromBrowser: key.startsWith('pk_'),
  });
  noteDifferences(route, sent.differences, () =>
    checkRules({ call: route.name, id, params, state: operations.state, ...sent }),
  );
  const schema = answerSchema(route);
  const expanded = readExpandPaths(schema, (params.expand ?? []) as string[]);
  checkExpansion(expanded, check);
  const answer = expandObject(operations, route.answer(operations, params as never, id), expanded, check);
  assertAnswer(route.name, schema, answer, expanded);
  return answer;
}

/** Thrown for a request with parameters that Stripe's description does not contain. */
export class UnknownRequest extends StripeApiError {
  override name = 'UnknownRequest';
  readonly differences: readonly string[];

  constructor({ status, message, rule, body }: StripeApiError, differences: readonly string[]) {
    super(status, null, message, { ...body.error, rule });
    this.differences = differences;
  }
}

function noteDifferences(route: StripeRoute, differences: readonly string[], check: () => void): void {
  try {
    check();
  } catch (error) {
    if (differences.length === 0 || !(error instanceof StripeApiError)) throw error;
    throw new UnknownRequest(
      error,
      differences.map((difference) => `the request ${route.name}: ${difference}`),
    );
  }
}

/** Reads the parameters. A browser also sends the client secret, which no server may. */
function paramsOf(
  { params }: StripeRoute,
  { text, isFromBrowser }: { text: string; isFromBrowser: boolean },
): Pick<RuleRequest, 'params' | 'differences'> & { clientSecret?: string | null } {
  const schema = schemaOf(params);
  const form = readForm(text);
  const secret = form.client_secret;
  if (isFromBrowser) delete form.client_secret;
  const read = readParams(schema, form) as Record<string, unknown>;
  return {
    params: read,
    differences: differencesFrom(schema, read),
    ...(isFromBrowser ? { clientSecret: typeof secret === 'string' ? secret : null } : {}),
  };
}

function answerSchema({ item, isList }: StripeRoute): StripeSchema {
  return isList ? pageOf(schemaOf(item)) : schemaOf(item);
}
