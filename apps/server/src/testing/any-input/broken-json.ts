import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { oddName, oddValue } from './odd-values.ts';

export type Content = string | Buffer;
export interface Body {
  content: Content;
  headers: Record<string, string>;
}

const json = { 'content-type': 'application/json' };

interface Damage {
  /** The place, counted from the top. */
  at: number;
  kind: 'replace' | 'remove' | 'add' | 'wrap';
  name: string;
  value: unknown;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(40),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap'),
  name: oddName,
  value: oddValue,
});

type Holder = Record<string | number, unknown>;

/** Changes one place of a value. */
function applyDamage(value: unknown, { at, kind, name, value: chosen }: Damage): unknown {
  const odd = structuredClone(chosen);
  const places = listPlaces(value);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return odd;
  const { holder, key } = place;
  if (kind === 'replace') holder[key] = odd;
  else if (kind === 'remove') delete holder[key];
  else if (kind === 'wrap') holder[key] = [holder[key]];
  // Set as an own property, as a parser of JSON does.
  else
    Object.defineProperty(holder, name, { value: odd, enumerable: true, configurable: true, writable: true });
  return value;
}

function listPlaces(value: unknown): { holder: Holder; key: string }[] {
  if (value === null || typeof value !== 'object') return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...listPlaces(holder[key])]);
}

/** Changes the text of JSON in a way that a value cannot express. */
const textDamages: Record<string, (text: string, number: number) => Content> = {
  truncated: (text, number) => text.slice(0, number % Math.max(1, text.length)),
  'byte order mark': (text) => `\ufeff${text}`,
  'duplicate keys': (text) => text.replace('{', '{"id":null,"id":{},"email":1,"name":[],'),
  prototype: (text) => text.replace('{', '{"__proto__":{"is_admin":true},'),
  'escaped prototype': (text) => text.replace('{', '{"_\\u005fproto__":{"role":"admin"},'),
  'constructor property': (text) => text.replace('{', '{"constructor":{"prototype":{"a":1}},'),
  'not a number': (text) => text.replace(/:[^,}\]]+/, ':NaN'),
  'an infinite number': (text) => text.replace(/:[^,}\]]+/, ':1e9999'),
  'a long number': (text) => text.replace(/:[^,}\]]+/, `:${'9'.repeat(5_000)}`),
  'a trailing value': (text) => `${text}{}`,
  comment: (text: string) => `/**/${text}`,
  'single quotes': (text) => text.replaceAll('"', "'"),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'invalid UTF-8': (text) =>
    Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xc3, 0x28, 0xff, 0x22, 0x7d])]),
  NUL: (text) => text.replace('"', '"\0'),
  nesting: (_text, number) => '['.repeat(number * 40),
  'closed nesting': (_text, number) => `${'{"a":'.repeat(number * 20)}1${'}'.repeat(number * 20)}`,
  'too long': (text, number) => text + ' '.repeat(101 * 1_024 + number),
  empty: () => '',
};

const otherMediaTypes = fc.constantFrom<Record<string, string>>(
  json,
  json,
  json,
  json,
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/octet-stream' },
  { 'content-type': 'application/x-ndjson' },
  { 'content-type': 'application/json;charset="a' },
  { 'content-type': '/' },
  {},
);

/** Claims or uses a compression, which no route accepts. */
const encodings = fc.constantFrom<[string, (content: Content) => Content]>(
  ['gzip', (content) => gzipSync(content)],
  ['br', (content) => brotliCompressSync(content)],
  ['gzip', (content) => content],
  ['deflate, gzip', (content) => content],
);

/** Creates bodies: valid ones, and those with something broken in the value, in its JSON, or around it. */
export function bodiesOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> {
  const value = fc
    .tuple(values, fc.array(damage, { maxLength: 2 }))
    .map(([valid, damages]) => damages.reduce(applyDamage, structuredClone(valid)));
  const anyValue = fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: oddValue });
  const plain = anyValue.map((content) => ({ content: JSON.stringify(content), headers: json }));
  const withText = fc
    .tuple(anyValue, fc.constantFrom(...Object.keys(textDamages)), fc.nat(500))
    .map(([content, kind, number]) => ({
      content: textDamages[kind]?.(JSON.stringify(content), number) ?? '',
      headers: json,
    }));
  const withHeaders = fc
    .tuple(plain, otherMediaTypes, fc.option(encodings, { freq: 3 }))
    .map(([{ content }, headers, encoding]) => ({
      content: encoding ? encoding[1](content) : content,
      headers: { ...headers, ...(encoding ? { 'content-encoding': encoding[0] } : {}) },
    }));
  return fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 3, arbitrary: withText },
    { weight: 1, arbitrary: withHeaders },
  );
}
