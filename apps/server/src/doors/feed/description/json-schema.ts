/** A JSON Schema, as OpenAPI has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Marks a property that an object need not have. */
export const optional = (schema: JsonSchema): JsonSchema => ({ ...schema, [optionalMark]: true });

const optionalMark = Symbol('optional');

/** Describes an object with these properties and no others. */
export const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !(optionalMark in (properties[name] ?? {}))),
  additionalProperties: false,
});

export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const anyOf = (...schemas: JsonSchema[]): JsonSchema => ({ anyOf: schemas });
