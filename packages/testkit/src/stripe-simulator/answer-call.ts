import { assertAnswer, pageOf } from './description/assert-described.ts';
import type { StripeSchema } from './description/description.ts';
import { readParams } from './description/read-params.ts';
import { differencesFrom, schemaOf } from './description/validate.ts';
import { checkExpansion, expandObject, readExpandPaths } from './expand.ts';
import { readForm } from './read-form.ts';
import { createRightCheck, rightOfCall } from './rights.ts';
import { findRoute, type StripeRoute } from './routes.ts';
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
  if (!found) throw new StripeApiError(404, null, `Unrecognized request URL (${method}: ${path}).`);
  const { route, id } = found;
  const check = createRightCheck({ accountId: account.id, key, lacks: account.rightsLackedBy(key) });
  check(rightOfCall(route.name));
  const params = paramsOf(route, method === 'GET' ? query : body);
  const schema = answerSchema(route);
  const expanded = readExpandPaths(schema, params.expand ?? []);
  checkExpansion(expanded, check);
  const answer = expandObject(account, route.answer(account, params as never, id), expanded, check);
  assertAnswer(route.name, schema, answer, expanded);
  return answer;
}

/** Thrown for a request with parameters that Stripe's description does not contain. */
export class UnknownParameters extends StripeApiError {
  override name = 'UnknownParameters';
  readonly differences: readonly string[];

  constructor(call: string, differences: readonly string[]) {
    super(400, 'parameter_unknown', `Invalid parameters: ${differences.join('; ')}`);
    this.differences = differences.map((difference) => `the request ${call}: ${difference}`);
  }
}

function paramsOf({ name, params }: StripeRoute, text: string): { expand?: string[] } {
  const schema = schemaOf(params);
  const read = readParams(schema, readForm(text));
  const differences = differencesFrom(schema, read);
  if (differences.length > 0) throw new UnknownParameters(name, differences);
  return read as { expand?: string[] };
}

function answerSchema({ item, isList }: StripeRoute): StripeSchema {
  return isList ? pageOf(schemaOf(item)) : schemaOf(item);
}
