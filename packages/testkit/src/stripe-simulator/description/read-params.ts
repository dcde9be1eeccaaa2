import type { FormValue } from '../read-form.ts';
import type { StripeSchema } from './description.ts';
import { schemaOf } from './validate.ts';

/**
 * Converts a form, whose values are all text, to the parameters that a call describes.
 * @returns numbers and booleans where the description has them; other text stays text
 */
export function readParams(schema: StripeSchema, form: FormValue): unknown {
  if (schema.$ref) return readParams(schemaOf(schema.$ref), form);
  if (schema.anyOf) return readParams(variantOf(schema.anyOf, form), form);
  if (typeof form === 'string') return readText(schema, form);
  if (Array.isArray(form)) return form.map((item) => readParams(schema.items ?? {}, item));
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      readParams(schema.properties?.[name] ?? schema.additionalProperties ?? {}, value),
    ]),
  );
}

function readText({ type, enum: values }: StripeSchema, text: string): unknown {
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const isBoolean = type === 'boolean' || values?.some((value) => typeof value === 'boolean');
  if (isBoolean && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Chooses the variant with the form's shape: fields, a list, or a number rather than text where both are possible. */
function variantOf(variants: readonly StripeSchema[], form: FormValue): StripeSchema {
  const resolved = variants.map((variant) => (variant.$ref ? schemaOf(variant.$ref) : variant));
  const shape = Array.isArray(form) ? 'array' : typeof form;
  if (shape !== 'string') return resolved.find(({ type }) => type === shape) ?? {};
  if (resolved.some((variant) => variant.enum?.includes(form as string))) return {};
  const plain = resolved.filter(({ type }) => type !== 'object' && type !== 'array' && type !== 'null');
  return (
    plain.find(({ type }) => type === 'number' && form !== '') ??
    plain.find(({ type }) => type === 'boolean') ??
    {}
  );
}
