/** The part of JSON Schema that the contract uses. */
export interface Schema {
  type?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  required?: string[];
}

/** What the comparison needs of a call. */
export interface ComparedCall {
  query?: Schema;
  body?: { schema: Schema };
  data?: Schema;
  meta?: Schema;
}

export type Contract = Record<string, ComparedCall>;

/**
 * Finds what goes wrong while servers of a former and of a new version answer pages of both.
 * @returns one sentence for each difference, empty if the versions understand each other
 */
export function compareContracts(former: Contract, current: Contract): string[] {
  return Object.entries(former).flatMap(([name, before]) => {
    const now = current[name];
    if (!now) return [`${name} was removed`];
    const parts = (['data', 'meta'] as const).flatMap((part) => [
      ...compareAnswers(`new servers, former pages: ${name} ${part}`, now[part], before[part]),
      ...compareAnswers(`former servers, new pages: ${name} ${part}`, before[part], now[part]),
    ]);
    return [
      ...parts,
      ...findRejected(`new servers, former pages: ${name} query`, before.query, now.query),
      ...findRejected(`new servers, former pages: ${name} body`, before.body?.schema, now.body?.schema),
    ];
  });
}

/** A page takes data where it expects none for an unreadable answer, and the reverse. */
function compareAnswers(path: string, sent: Schema | undefined, read: Schema | undefined): string[] {
  if (sent && read) return findUnreadable(path, sent, read, 'page');
  return sent || read ? [`${path} is ${sent ? 'not expected' : 'missing'}`] : [];
}

/** Finds the requests of a former page that a new server rejects. */
function findRejected(path: string, sent: Schema | undefined, read: Schema | undefined): string[] {
  if (!sent) return (read?.required ?? []).map((field) => `${path}.${field} is missing`);
  return read ? findUnreadable(path, sent, read, 'server') : [`${path} is not expected`];
}

/** Pages ignore fields that they do not know. Servers reject them where the schema says so. */
type Reader = 'page' | 'server';

/** Finds what can be sent, and is not understood by a reader that expects another schema. */
function findUnreadable(path: string, sent: Schema, read: Schema, reader: Reader): string[] {
  if (isAnything(read)) return [];
  const options = optionsOf(read);
  return optionsOf(sent).flatMap((option) => {
    const failures = options.map((expected) => findUnreadableOption(path, option, expected, reader));
    return failures.toSorted((one, other) => one.length - other.length)[0] ?? [];
  });
}

function findUnreadableOption(path: string, sent: Schema, read: Schema, reader: Reader): string[] {
  const isWhole = sent.type === 'integer' && read.type === 'number';
  if ((sent.type !== read.type && !isWhole) || sent.format !== read.format)
    return [`${path} is ${nameOf(sent)} instead of ${nameOf(read)}`];
  const known = valuesOf(read);
  if (known) {
    const others = valuesOf(sent)?.filter((value) => !known.includes(value)) ?? ['anything'];
    return others.map((value) => `${path} can be ${value}`);
  }
  if (sent.items && read.items) return findUnreadable(`${path}[]`, sent.items, read.items, reader);
  const [values, expected] = [sent, read].map(
    ({ patternProperties = {} }) => Object.values(patternProperties)[0],
  );
  if (values && expected) return findUnreadable(`${path}{}`, values, expected, reader);
  return compareFields(path, sent, read, reader);
}

function compareFields(path: string, sent: Schema, read: Schema, reader: Reader): string[] {
  const { properties: expected = {}, required = [], additionalProperties } = read;
  const always = sent.required ?? [];
  const missing = required.filter((field) => !always.includes(field));
  const fields = Object.entries(sent.properties ?? {});
  const isStrict = reader === 'server' && additionalProperties === false;
  const unknown = isStrict ? fields.filter(([field]) => !expected[field]) : [];
  return [
    ...missing.map((field) => `${path}.${field} ${sent.properties?.[field] ? 'can be' : 'is'} missing`),
    ...unknown.map(([field]) => `${path}.${field} is not expected`),
    ...fields.flatMap(([field, schema]) =>
      expected[field] ? findUnreadable(`${path}.${field}`, schema, expected[field], reader) : [],
    ),
  ];
}

const optionsOf = (schema: Schema): Schema[] => schema.anyOf?.flatMap(optionsOf) ?? [schema];

const valuesOf = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);

const isAnything = ({ type, anyOf }: Schema) => type === undefined && anyOf === undefined;

const nameOf = ({ type = 'anything', format }: Schema) => format ?? type;
