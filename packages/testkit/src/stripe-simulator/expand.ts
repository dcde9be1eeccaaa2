import type { StripeSchema } from './description/description.ts';
import { type ExpandTree, schemaOf } from './description/validate.ts';
import { type RightCheck, rightsOfFields, rightsOfObjects } from './rights.ts';
import { refusal } from './rules/stripe-rules.ts';
import type { StripeOperations } from './stripe-account.ts';

/** Levels of a path: `data.latest_charge.balance_transaction` has three. */
const maxDepth = 4;

/**
 * Reads the paths of `expand[]`.
 * @param schema the answer's type
 * @throws StripeApiError for a path with more than four levels, or with a field that cannot be expanded
 */
export function readExpandPaths(schema: StripeSchema, paths: readonly string[]): ExpandTree {
  const tree: ExpandTree = {};
  for (const path of paths) {
    const fields = path.split('.');
    if (fields.length > maxDepth) throw refusal('expand-depth');
    if (!canExpand(schema, fields)) throw refusal(ruleOfPath(schema, fields), { path });
    let branch = tree;
    for (const field of fields) {
      branch[field] ??= {};
      branch = branch[field];
    }
  }
  return tree;
}

/** Refuses an expansion whose rights the key lacks, even where there is nothing to expand. @throws StripeApiError */
export function checkExpansion(tree: ExpandTree, check: RightCheck): void {
  for (const [field, branch] of Object.entries(tree)) {
    check(rightsOfFields[field]);
    checkExpansion(branch, check);
  }
}

/**
 * Replaces ids with their objects where a request expands them, and adds lists that are only included then.
 * @throws StripeApiError if the key lacks the right of an object
 */
export function expandObject(
  account: StripeOperations,
  object: object,
  tree: ExpandTree,
  check: RightCheck,
): object {
  const expanded: Record<string, unknown> = { ...object };
  for (const [field, branch] of Object.entries(tree)) {
    const value = field in object ? expanded[field] : includedList(account, expanded, field);
    expanded[field] = expandValue(account, value, branch, check);
  }
  return expanded;
}

function expandValue(
  account: StripeOperations,
  value: unknown,
  branch: ExpandTree,
  check: RightCheck,
): unknown {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => expandValue(account, item, branch, check));
  const target = typeof value === 'string' ? account.lookUp(value) : value;
  if (typeof target !== 'object') throw new Error(`the simulator has no ${value} to expand`);
  if (typeof value === 'string' && target && 'object' in target)
    check(rightsOfObjects[String(target.object)]);
  return target && expandObject(account, target, branch, check);
}

/** A charge contains its refunds only on request: the ten latest. */
function includedList(
  account: StripeOperations,
  { object, id }: Record<string, unknown>,
  field: string,
): unknown {
  if (object !== 'charge' || field !== 'refunds') return undefined;
  const page = account.refunds.list({ charge: String(id) });
  return { ...page, url: `/v1/charges/${id}/refunds` };
}

function canExpand(schema: StripeSchema, [field = '', ...rest]: readonly string[]): boolean {
  return variantsOf(schema).some(({ properties, items }) => {
    if (items) return canExpand(items, [field, ...rest]);
    const property = properties?.[field];
    if (!property) return false;
    if (rest.length > 0) return canExpand(property, rest);
    return property.onRequest === true || variantsOf(property, false).some(isReference);
  });
}

/** The possible types of a value, with the types that expansion puts in place of ids. */
function variantsOf(schema: StripeSchema, follow = true): StripeSchema[] {
  if (schema.$ref) return variantsOf(schemaOf(schema.$ref), follow);
  if (schema.anyOf) return schema.anyOf.flatMap((variant) => variantsOf(variant, follow));
  if (!follow || !isReference(schema)) return [schema];
  if (schema.expandable === 'any') return sources.map(schemaOf);
  return schema.expandable ? [schemaOf(schema.expandable)] : [];
}

/** What the source of a balance transaction can be. */
const sources = ['Charge', 'Dispute', 'Payout', 'Refund'];

const isReference = ({ expandable }: StripeSchema) => expandable !== undefined;

/** Tells an expansion that only misplaces `data`, which lists contain, from one of an unknown field. */
function ruleOfPath(schema: StripeSchema, [first = '', ...rest]: readonly string[]): string {
  const isMisplaced =
    first === 'data' ? canExpand(schema, rest) : canExpand(schema, ['data', first, ...rest]);
  return isMisplaced ? 'expand-data' : 'expand-unknown';
}
