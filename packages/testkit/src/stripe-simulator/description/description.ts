/**
 * A type in Stripe's description of its API, in the vocabulary of JSON Schema. Objects are closed: fields that are not named
 * are errors, unless `additionalProperties` describes them.
 */
export interface StripeSchema {
  type?: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  enum?: readonly (string | number | boolean)[];
  anyOf?: readonly StripeSchema[];
  items?: StripeSchema;
  properties?: Readonly<Record<string, StripeSchema>>;
  required?: readonly string[];
  additionalProperties?: StripeSchema;
  $ref?: string;
  /** The value is an id, or this object where a request expands it; null for an object that is not simulated. */
  expandable?: string | null;
  /** A list that an answer only contains where a request expands it. */
  onRequest?: true;
}

/** Stripe's description of the calls that the simulator answers, made from the types of its SDK. */
export interface StripeDescription {
  apiVersion: string;
  /** By the name of the SDK's type, such as `Charge` or `RefundCreateParams`. */
  types: Readonly<Record<string, StripeSchema>>;
}
