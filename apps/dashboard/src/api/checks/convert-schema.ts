/** As much of JSON Schema as the contract's answers use. */
export interface JsonSchema {
  type?: unknown;
  format?: unknown;
  const?: unknown;
  enum?: unknown;
  anyOf?: unknown;
  items?: unknown;
  properties?: unknown;
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
  isOneOf(values: readonly string[]): Built;
  isNullOr(inner: Built): Built;
  isArrayOf(inner: Built): Built;
  isObjectOf(fields: Record<string, Built>): Built;
}

/**
 * Converts a schema of the contract to a check. Constraints such as lengths and patterns are the server's business and
 * are left out, and so are optional fields of any type, which their readers check.
 * @throws Error for a schema that no answer uses so far
 */
export function convertSchema<Built>(schema: JsonSchema, to: CheckBuilder<Built>): Built {
  const { type, format, anyOf, items, properties, required } = schema;
  const convert = (part: JsonSchema) => convertSchema(part, to);
  if (typeof schema.const === 'string') return to.isOneOf([schema.const]);
  if (isStrings(schema.enum)) return to.isOneOf(schema.enum);
  if (isSchemas(anyOf)) {
    const [inner, ...others] = anyOf.filter((option) => option.type !== 'null');
    if (inner && others.length === 0 && anyOf.length === 2) return to.isNullOr(convert(inner));
  }
  if (type === 'string')
    return format === 'date-time' ? to.isInstant : format === 'date' ? to.isDay : to.isString;
  if (type === 'boolean') return to.isBoolean;
  if (type === 'number') return to.isNumber;
  if (type === 'integer') return to.isInteger;
  if (type === 'array') return to.isArrayOf(convert(items as JsonSchema));
  if (type === 'object') {
    const isOptional = ([name]: [string, JsonSchema]) => !(required as string[]).includes(name);
    const isChecked = ([name, field]: [string, JsonSchema]) =>
      !isOptional([name, field]) || !isAnything(field);
    const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>).filter(isChecked);
    if (!fields.some(isOptional)) {
      return to.isObjectOf(Object.fromEntries(fields.map(([name, field]) => [name, convert(field)])));
    }
  }
  throw new Error(`no check can be made of the schema ${JSON.stringify(schema)}`);
}

const isAnything = (schema: JsonSchema) =>
  !['type', 'const', 'enum', 'anyOf'].some((constraint) => constraint in schema);

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const isSchemas = (value: unknown): value is JsonSchema[] => Array.isArray(value);
