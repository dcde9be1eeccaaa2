/** The part of JSON Schema that the contract's answers use. */
export interface JsonSchema {
  type?: unknown;
  format?: unknown;
  const?: unknown;
  enum?: unknown;
  anyOf?: unknown;
  items?: unknown;
  properties?: unknown;
  patternProperties?: unknown;
  required?: unknown;
}

/** Builds checks, or their source code, out of the functions that `check.ts` exports under these names. */
export interface CheckBuilder<Built> {
  isString: Built;
  isBoolean: Built;
  isNumber: Built;
  isInteger: Built;
  isInstant: Built;
  isDay: Built;
  isAnything: Built;
  isOneOf(values: readonly (string | number | boolean)[]): Built;
  isNullOr(inner: Built): Built;
  isAnyOf(options: readonly Built[]): Built;
  isArrayOf(inner: Built): Built;
  isRecordOf(inner: Built): Built;
  isObjectOf(fields: Record<string, Built>): Built;
  /** Fields that must be there, and fields that may be missing. */
  isObjectWith(fields: Record<string, Built>, optional: Record<string, Built>): Built;
}

/**
 * Converts a schema of the contract to a check. Constraints such as lengths and patterns are the server's business and
 * are left out, and so are optional fields of any type, which their readers check.
 * @throws Error for a schema that no answer uses so far
 */
export function convertSchema<Built>(schema: JsonSchema, to: CheckBuilder<Built>): Built {
  const { type, format, anyOf, items } = schema;
  const convert = (part: JsonSchema) => convertSchema(part, to);
  if (isLiteral(schema.const)) return to.isOneOf([schema.const]);
  if (isStrings(schema.enum)) return to.isOneOf(schema.enum);
  if (isSchemas(anyOf)) {
    const options = anyOf.filter((option) => option.type !== 'null').map(convert);
    const [first, ...others] = options;
    if (first) {
      const built = others.length === 0 ? first : to.isAnyOf(options);
      return options.length < anyOf.length ? to.isNullOr(built) : built;
    }
  }
  if (type === 'string')
    return format === 'date-time' ? to.isInstant : format === 'date' ? to.isDay : to.isString;
  if (type === 'boolean') return to.isBoolean;
  if (type === 'number') return to.isNumber;
  if (type === 'integer') return to.isInteger;
  if (type === 'array') return to.isArrayOf(convert(items as JsonSchema));
  if (type === 'object') return convertObject(schema, to);
  if (Object.keys(schema).every((name) => name === 'description')) return to.isAnything;
  throw new Error(`no check can be made of the schema ${JSON.stringify(schema)}`);
}

function convertObject<Built>(
  { properties, patternProperties, required = [] }: JsonSchema,
  to: CheckBuilder<Built>,
): Built {
  const [values] = Object.values((patternProperties ?? {}) as Record<string, JsonSchema>);
  if (values) return to.isRecordOf(convertSchema(values, to));
  const isOptional = ([name]: [string, JsonSchema]) => !(required as string[]).includes(name);
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>);
  const build = (some: [string, JsonSchema][]) =>
    Object.fromEntries(some.map(([name, field]) => [name, convertSchema(field, to)]));
  const always = build(fields.filter((field) => !isOptional(field)));
  const sometimes = fields.filter((field) => isOptional(field) && !isAnything(field[1]));
  return sometimes.length === 0 ? to.isObjectOf(always) : to.isObjectWith(always, build(sometimes));
}

const isLiteral = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

const isAnything = (schema: JsonSchema) =>
  !['type', 'const', 'enum', 'anyOf'].some((constraint) => constraint in schema);

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isSchemas = (value: unknown): value is JsonSchema[] => Array.isArray(value);
