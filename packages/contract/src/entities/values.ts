import { type Static, type TSchema, Type } from 'typebox';

/** A string enumeration. */
export const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>(Type.String({ enum: [...words] }));

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/**
 * A field of a response that is new in this version. While servers are replaced one after another, a page of this version
 * can reach a server of the last release, which does not send it. The next release makes it required.
 */
export const AddedField = Type.Optional;

/** Text on one line, with at least one visible character. */
export const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^\\S(.*\\S)?$' });

/** A version 4 UUID in lower case. */
export const Id = Type.String({ description: 'Opaque identifier' });
/** An ISO 8601 timestamp in UTC with milliseconds. */
export const Instant = Type.String({ format: 'date-time' });
/** A calendar day in Europe/London, `YYYY-MM-DD`. */
export const Day = Type.String({ format: 'date' });
/** An amount of money in whole pence. */
export const Pence = Type.Integer({ description: 'Pence sterling' });

/** A phone number as people write it: `0117 496 0101`, `+44 (0)117 496-0101 ext. 12`. The server reads it, and stores it in E.164. */
export const PhoneNumber = Type.String({ minLength: 1, maxLength: 50 });

/** The fields that every entity has. */
export const entityFields = { id: Id, created_at: Instant, updated_at: Instant };

/** A price: `gross = net + vat`, `vat_rate` in percent. */
export const Price = Type.Object({ net: Pence, vat_rate: Type.Number(), vat: Pence, gross: Pence });
export type Price = Static<typeof Price>;
