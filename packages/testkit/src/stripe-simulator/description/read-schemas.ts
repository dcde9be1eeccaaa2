import ts from 'typescript';
import type { StripeSchema } from './description.ts';

/** The objects that the simulator has; others stay ids. */
export const objects = [
  'Account',
  'Balance',
  'BalanceTransaction',
  'Charge',
  'Dispute',
  'PaymentIntent',
  'PaymentMethod',
  'Payout',
  'Radar.EarlyFraudWarning',
  'Refund',
  'Review',
];

export const shortName = (name: string): string => name.split('.').at(-1) ?? name;

/** Reads the schemas of TypeScript types. */
export interface SchemaReader {
  /** The schemas of all types that were read, by name. */
  types: Record<string, StripeSchema>;
  /** Reads a type, and all types that it refers to. */
  add(name: string, type: ts.Type): void;
}

interface Reading extends SchemaReader {
  checker: ts.TypeChecker;
  names: Map<ts.Symbol, string>;
}

export function createReader(checker: ts.TypeChecker): SchemaReader {
  const reading: Reading = {
    checker,
    types: {},
    names: new Map(),
    add: (name, type) => {
      const symbol = symbolOf(type);
      if (symbol) reading.names.set(symbol, name);
      reading.types[name] = readObject(reading, type);
    },
  };
  return reading;
}

function readSchema(reading: Reading, type: ts.Type): StripeSchema {
  const { checker } = reading;
  if (type.isUnion()) return readUnion(reading, type);
  if (type.flags & ts.TypeFlags.StringLiteral) return { enum: [(type as ts.StringLiteralType).value] };
  if (type.flags & ts.TypeFlags.NumberLiteral) return { enum: [(type as ts.NumberLiteralType).value] };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { enum: [checker.typeToString(type) === 'true'] };
  if (type.flags & ts.TypeFlags.String) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: 'array', items: item ? readSchema(reading, item) : {} };
  }
  if (isOtherString(type)) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Object) return readNamed(reading, type);
  throw new Error(`unknown type ${checker.typeToString(type)}`);
}

function readUnion(reading: Reading, union: ts.UnionType): StripeSchema {
  const members = union.types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)));
  const literals = members.filter((member) => member.isStringLiteral() || member.isNumberLiteral());
  // The SDK lets code pass any other text; Stripe's own description does not.
  const rest = members.filter(
    (member) => !member.isStringLiteral() && !member.isNumberLiteral() && !isOtherString(member),
  );
  const isBoolean = rest.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
  const others = rest.filter(({ flags }) => !isBoolean || !(flags & ts.TypeFlags.BooleanLiteral));
  const stripeObjects = others.filter((member) => isStripeObject(member));
  const isExpandable = stripeObjects.length > 0 && others.some(({ flags }) => flags & ts.TypeFlags.String);
  const variants: StripeSchema[] = [
    ...(literals.length > 0
      ? [{ enum: literals.map((member) => (member as ts.LiteralType).value as string).sort() }]
      : []),
    ...(isBoolean ? [{ type: 'boolean' as const }] : []),
    ...(isExpandable ? [{ type: 'string' as const, expandable: expansionOf(stripeObjects) }] : []),
    ...others
      .filter(
        (member) => !isExpandable || !(member.flags & ts.TypeFlags.String || stripeObjects.includes(member)),
      )
      .map((member) => readSchema(reading, member)),
  ];
  return variants.length === 1 ? (variants[0] as StripeSchema) : { anyOf: variants };
}

/** Returns the object with which the simulator replaces an expanded id. */
function expansionOf(members: ts.Type[]): string | null {
  // The source of a balance transaction is one of several objects, told apart by `object`.
  if (members.length > 1) return members.some((member) => nameOf(member) === 'Charge') ? 'any' : null;
  const name = members[0] && nameOf(members[0]);
  return name && objects.some((known) => shortName(known) === name) ? name : null;
}

const nameOf = (type: ts.Type) => symbolOf(type)?.getName() ?? '';

const isStripeObject = (type: ts.Type) =>
  type.getProperty('object') !== undefined && type.getProperty('id') !== undefined;

function readNamed(reading: Reading, type: ts.Type): StripeSchema {
  const { names, types } = reading;
  const symbol = symbolOf(type);
  if (!symbol) return readObject(reading, type);
  if (symbol.getName() === 'ApiList') return readList(reading, type);
  if (symbol.getName() === 'Decimal') return { type: 'string' };
  if (isStripeObject(type) && !objects.some((known) => shortName(known) === symbol.getName()))
    return { anyOf: [] };
  const known = names.get(symbol);
  if (known) return { $ref: known };
  const name = uniqueName(reading, symbol);
  names.set(symbol, name);
  types[name] = {};
  types[name] = readObject(reading, type);
  return { $ref: name };
}

function uniqueName({ checker, types }: Reading, symbol: ts.Symbol): string {
  const full = checker.getFullyQualifiedName(symbol).replace(/^".*?"\./, '');
  return full in types ? `${full}.${Object.keys(types).length}` : full;
}

function readList(reading: Reading, type: ts.Type): StripeSchema {
  const { checker } = reading;
  const [item] = checker.getTypeArguments(type as ts.TypeReference);
  return {
    type: 'object',
    properties: {
      object: { enum: ['list'] },
      data: { type: 'array', items: item ? readSchema(reading, item) : {} },
      has_more: { type: 'boolean' },
      url: { type: 'string' },
    },
    required: ['object', 'data', 'has_more', 'url'],
  };
}

function readObject(reading: Reading, type: ts.Type): StripeSchema {
  const { checker } = reading;
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const properties: Record<string, StripeSchema> = {};
  const required: string[] = [];
  for (const property of checker.getPropertiesOfType(type)) {
    const propertyType = checker.getTypeOfSymbol(property);
    if (propertyType.flags & ts.TypeFlags.Void) continue;
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const schema = readSchema(reading, propertyType);
    properties[property.getName()] =
      isOptional && isList(propertyType) ? { ...schema, onRequest: true } : schema;
    if (!isOptional) required.push(property.getName());
  }
  // An interface without fields describes an object with any content.
  const isOpen = Object.keys(properties).length === 0 && !index;
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(index
      ? { additionalProperties: readSchema(reading, index) }
      : isOpen
        ? { additionalProperties: {} }
        : {}),
  };
}

const isList = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isList) : type.getSymbol()?.getName() === 'ApiList';

const symbolOf = (type: ts.Type) => type.aliasSymbol ?? type.getSymbol();

/** `string & Record<never, never>`: any text besides the known values. */
const isOtherString = (type: ts.Type) =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
