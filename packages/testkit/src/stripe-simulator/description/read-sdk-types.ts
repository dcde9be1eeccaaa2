import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { StripeDescription, StripeSchema } from './description.ts';

/** The objects that the simulator has; others stay ids. */
const objects = [
  'Account',
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

/** The parameters of the calls that the simulator answers. */
const parameters = [
  'BalanceTransactionListParams',
  'BalanceTransactionRetrieveParams',
  'ChargeListParams',
  'ChargeRetrieveParams',
  'DisputeCloseParams',
  'DisputeListParams',
  'DisputeRetrieveParams',
  'DisputeUpdateParams',
  'EventListParams',
  'EventRetrieveParams',
  'PaymentIntentCancelParams',
  'PaymentIntentConfirmParams',
  'PaymentIntentCreateParams',
  'PaymentIntentListParams',
  'PaymentIntentRetrieveParams',
  'PaymentIntentUpdateParams',
  'PayoutListParams',
  'PayoutRetrieveParams',
  'Radar.EarlyFraudWarningListParams',
  'Radar.EarlyFraudWarningRetrieveParams',
  'RefundCancelParams',
  'RefundCreateParams',
  'RefundListParams',
  'RefundRetrieveParams',
  'ReviewListParams',
  'ReviewRetrieveParams',
  'AccountRetrieveCurrentParams',
];

/** Types whose name in the description differs from their name in the SDK. */
const others = { Event: 'Stripe.EventBase', ApiError: 'Stripe.PaymentIntent.LastPaymentError' };

/** Reads the description of Stripe's API from the types of its SDK. It takes a few seconds. */
export function readSdkTypes(): StripeDescription {
  const folder = dirname(dirname(createRequire(import.meta.url).resolve('stripe')));
  const roots = [
    ...[...objects, ...parameters].map((name) => [shortName(name), `Stripe.${name}`]),
    ...Object.entries(others),
  ];
  const source = `import type Stripe from 'stripe';\nexport interface Roots {\n${roots
    .map(([name, type]) => `  ${name}: ${type};`)
    .join('\n')}\n}\n`;
  const { checker, file } = parse(folder, source);
  const reader = createReader(checker);
  const [root] = file.statements.filter(ts.isInterfaceDeclaration);
  for (const member of root?.members ?? []) {
    reader.add(member.name?.getText(file) ?? '', checker.getTypeAtLocation(member));
  }
  const [, apiVersion = ''] =
    /ApiVersion = ["']([^"']+)["']/.exec(readFileSync(join(folder, 'esm/apiVersion.d.ts'), 'utf8')) ?? [];
  return { apiVersion, types: reader.types };
}

const shortName = (name: string) => name.split('.').at(-1) ?? name;

function parse(folder: string, source: string) {
  const path = join(folder, 'description-roots.ts');
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    skipLibCheck: true,
    types: [],
    noLib: false,
    lib: ['lib.es2022.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile, readFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? source : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  const program = ts.createProgram([path], options, host);
  const file = program.getSourceFile(path);
  if (!file) throw new Error('the roots were not parsed');
  return { checker: program.getTypeChecker(), file };
}

function createReader(checker: ts.TypeChecker) {
  const types: Record<string, StripeSchema> = {};
  const names = new Map<ts.Symbol, string>();

  const add = (name: string, type: ts.Type) => {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (symbol) names.set(symbol, name);
    types[name] = objectSchema(type);
  };

  const schemaOf = (type: ts.Type): StripeSchema => {
    if (type.isUnion()) return unionSchema(type);
    if (type.flags & ts.TypeFlags.StringLiteral) return { enum: [(type as ts.StringLiteralType).value] };
    if (type.flags & ts.TypeFlags.NumberLiteral) return { enum: [(type as ts.NumberLiteralType).value] };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { enum: [checker.typeToString(type) === 'true'] };
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: item ? schemaOf(item) : {} };
    }
    if (isOtherString(type)) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Object) return namedSchema(type);
    throw new Error(`unknown type ${checker.typeToString(type)}`);
  };

  const unionSchema = (union: ts.UnionType): StripeSchema => {
    const members = union.types.filter(
      ({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)),
    );
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
          (member) =>
            !isExpandable || !(member.flags & ts.TypeFlags.String || stripeObjects.includes(member)),
        )
        .map(schemaOf),
    ];
    return variants.length === 1 ? (variants[0] as StripeSchema) : { anyOf: variants };
  };

  /** Returns the object with which the simulator replaces an expanded id. */
  const expansionOf = (members: ts.Type[]): string | null => {
    // The source of a balance transaction is one of several objects, told apart by `object`.
    if (members.length > 1) return members.some((member) => nameOf(member) === 'Charge') ? 'any' : null;
    const name = members[0] && nameOf(members[0]);
    return name && objects.some((known) => shortName(known) === name) ? name : null;
  };

  const nameOf = (type: ts.Type) => (type.aliasSymbol ?? type.getSymbol())?.getName() ?? '';

  const isStripeObject = (type: ts.Type) =>
    type.getProperty('object') !== undefined && type.getProperty('id') !== undefined;

  const namedSchema = (type: ts.Type): StripeSchema => {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    if (!symbol) return objectSchema(type);
    if (symbol.getName() === 'ApiList') return listSchema(type);
    if (symbol.getName() === 'Decimal') return { type: 'string' };
    if (isStripeObject(type) && !objects.some((known) => shortName(known) === symbol.getName()))
      return { anyOf: [] };
    const known = names.get(symbol);
    if (known) return { $ref: known };
    const name = uniqueName(symbol);
    names.set(symbol, name);
    types[name] = {};
    types[name] = objectSchema(type);
    return { $ref: name };
  };

  const uniqueName = (symbol: ts.Symbol) => {
    const full = checker.getFullyQualifiedName(symbol).replace(/^".*?"\./, '');
    return full in types ? `${full}.${Object.keys(types).length}` : full;
  };

  const listSchema = (type: ts.Type): StripeSchema => {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return {
      type: 'object',
      properties: {
        object: { enum: ['list'] },
        data: { type: 'array', items: item ? schemaOf(item) : {} },
        has_more: { type: 'boolean' },
        url: { type: 'string' },
      },
      required: ['object', 'data', 'has_more', 'url'],
    };
  };

  const objectSchema = (type: ts.Type): StripeSchema => {
    const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const properties: Record<string, StripeSchema> = {};
    const required: string[] = [];
    for (const property of checker.getPropertiesOfType(type)) {
      const propertyType = checker.getTypeOfSymbol(property);
      if (propertyType.flags & ts.TypeFlags.Void) continue;
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
      const schema = schemaOf(propertyType);
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
      ...(index ? { additionalProperties: schemaOf(index) } : isOpen ? { additionalProperties: {} } : {}),
    };
  };

  const isList = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isList) : type.getSymbol()?.getName() === 'ApiList';

  return { types, add };
}

/** `string & Record<never, never>`: any text besides the known values. */
const isOtherString = (type: ts.Type) =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);
