import fc from 'fast-check';
import { type Body, bodiesOf } from './broken-json.ts';
import type { DescribedRoute } from './described-routes.ts';
import { existingId, existingReference, oddText } from './odd-values.ts';
import { valuesOf } from './values-of-schema.ts';

/** The kinds of callers that send inputs. */
export const senders = [
  ...['no one', 'client', 'joint client', 'other client', 'client with a cookie', 'token without its cookie'],
  ...['revoked client', 'handler', 'finance', 'admin', 'admin without CSRF token', 'revoked admin'],
  ...['read feed key', 'write feed key', 'revoked feed key'],
] as const;
export type SenderName = (typeof senders)[number];

/** An input, in which names such as `@@matters@@` are replaced by ids. */
export interface AnyRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: Body | null;
  sender: string;
}

/** Creates requests for a route, most of them broken in some way. */
export function requestsFor(route: DescribedRoute): fc.Arbitrary<AnyRequest> {
  const hasBody = !['GET', 'HEAD'].includes(route.method);
  return fc.record({
    method: fc.oneof(
      { weight: 30, arbitrary: fc.constant(route.method) },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'DELETE', 'PUT', 'POST', 'GET') },
    ),
    path: pathsOf(route.path),
    query: queriesOf(route.query),
    headers: headersOf(route.headers),
    body: hasBody ? fc.option(bodyOf(route), { freq: 12 }) : fc.option(bodyOf(route), { freq: 1 }),
    sender: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom<string>(...senders) },
      { weight: 2, arbitrary: fc.constantFrom<string>(...admittedBy(route.path)) },
    ),
  });
}

/** Returns senders whose input usually passes the access check of a path. */
function admittedBy(path: string): readonly string[] {
  if (path.startsWith('/api/staff')) return ['handler', 'finance', 'admin', 'admin'];
  if (path.startsWith('/api/feed')) return ['read feed key', 'write feed key', 'write feed key'];
  return ['client', 'client', 'joint client', 'client with a cookie'];
}

const bodyOf = ({ body, isUpload }: DescribedRoute): fc.Arbitrary<Body> =>
  isUpload
    ? fc.record({
        content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        headers: fc.constantFrom<Record<string, string>>(
          { 'content-type': 'application/octet-stream' },
          { 'content-type': 'application/pdf' },
          { 'content-type': 'image/png' },
        ),
      })
    : bodiesOf(body === undefined ? fc.constant({}) : valuesOf(body));

const kinds = fc.constantFrom(
  'clients',
  'cases',
  'matters',
  'documents',
  'searches',
  'tasks',
  'bills',
  'history',
);
const parameters: Record<string, fc.Arbitrary<string>> = {
  kind: fc.oneof(kinds, kinds, fc.constantFrom('payment', 'case', 'document', 'refund')),
  reference: existingReference,
  matter_type: fc.constantFrom('purchase', 'sale', 'remortgage'),
  provider: fc.constantFrom('sandbox', 'stripe', 'stripe-business'),
  outcome: fc.constantFrom('approve', 'decline'),
};

/** Values that are not encoded for a path. */
const rawPathPart = fc.constantFrom(
  ...['..', '.', '', '%00', '%', '%zz', '%ff', '%c0%af', '%e2%80%ae', '%2e%2e%2f%2e%2e%2fetc', '%2F', '%5C'],
  ...[
    'a%2Fb',
    ';a=b',
    'a//b',
    '%25',
    '%2500',
    '*',
    ':id',
    '{id}',
    "'",
    '%ED%A0%80',
    `${'a'.repeat(3_000)}`,
    '%41'.repeat(900),
  ],
);

function pathsOf(pattern: string): fc.Arbitrary<string> {
  const parts = pattern.split('/').map((part): fc.Arbitrary<string> => {
    if (part !== '*' && !part.startsWith(':')) return fc.constant(part);
    const valid = parameters[part.slice(1)] ?? existingId;
    return fc.oneof(
      { weight: 5, arbitrary: valid.map(encodePart) },
      { weight: 1, arbitrary: fc.uuid({ version: 4 }) },
      { weight: 2, arbitrary: oddText.map(encodePart) },
      { weight: 2, arbitrary: rawPathPart },
    );
  });
  return fc.tuple(...parts).map((chosen) => chosen.join('/'));
}

/** Encodes a part of a path, without the marks of names, which the sender replaces. */
const encodePart = (text: string) => encodeURIComponent(text.toWellFormed()).replaceAll('%40%40', '@@');

const encodeQuery = (fields: [string, string][]) =>
  fields.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join('&');

function queriesOf(schema: unknown): fc.Arbitrary<string> {
  const values = schema === undefined ? fc.constant({}) : valuesOf(schema);
  const valid = values.map((value) =>
    Object.entries(value as object).map(([name, each]): [string, string] => [name, String(each)]),
  );
  const names = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  const anyName = fc.constantFrom(
    ...names,
    ...names,
    'limit',
    'cursor',
    'id[]',
    'a[b][c]',
    '__proto__',
    'version',
    'q',
  );
  const odd = fc.tuple(anyName, oddText);
  return fc.oneof(
    { weight: 3, arbitrary: valid.map(encodeQuery) },
    { weight: 3, arbitrary: fc.tuple(valid, odd).map(([fields, one]) => encodeQuery([...fields, one])) },
    { weight: 1, arbitrary: fc.array(odd, { maxLength: 4 }).map(encodeQuery) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '%',
        '%zz=%ff',
        '&&==',
        '?',
        'a=%00',
        'a[b',
        `a=${'b'.repeat(4_000)}`,
        'a&'.repeat(1_000),
      ),
    },
  );
}

const long = 'a'.repeat(4_000);
/** Values of headers that something in the server or before it reads. */
const oddHeaders: Record<string, readonly string[]> = {
  accept: ['text/html', 'application/xml;q=2', ',;', '*/*'],
  'accept-encoding': ['br', 'gzip;q=0', 'identity;q=0, *;q=0', 'zstd', 'a;q=b'],
  'accept-language': ['cy', '*', long],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer kt_',
    'Bearer kt_half_',
    `Bearer kt_half_${'a'.repeat(38)}`,
    'Basic YTpi',
    'Bearer a b',
    'bearer null',
    `Bearer ${long}`,
    'Bearer kt_feed_x',
  ],
  connection: ['close', 'upgrade', 'keep-alive, x-forwarded-for'],
  cookie: [
    '',
    ';',
    '=',
    'a',
    'keyturn-session-=',
    'keyturn-session-aaaaaaaa=x; keyturn-session-aaaaaaaa=y',
    `keyturn-session-aaaaaaaa=kt_cookie_${'a'.repeat(43)}`,
    '__proto__=1',
    'keyturn-staff=%00',
    'keyturn-staff="',
    `keyturn-device=${long}`,
  ],
  expect: ['a'],
  forwarded: ['for=unknown;host=evil.test'],
  host: ['', 'evil.test', 'a:b', '[::1', 'a@b', 'x'.repeat(300), 'desk.example.test:99999'],
  'idempotency-key': ['', ' ', 'a', 'k'.repeat(255), 'k'.repeat(256), 'kéy', '4111111111111111'],
  'if-match': ['*', '"'],
  'if-modified-since': ['yesterday', 'Thu, 32 Foo 99999 00:00:00 GMT'],
  'if-none-match': ['*', '""', 'W/"', '"a", "b"', '"x",'.repeat(500)],
  origin: ['null', 'https://evil.test', '', 'http://desk.example.test.evil.test', long],
  range: [
    'bytes=0-0',
    'bytes=-1',
    'bytes=9-1',
    'bytes=0-1,2-3',
    'bytes=99999999999999999999-',
    'lines=1',
    'bytes=--',
    `bytes=${'0-1,'.repeat(800)}`,
  ],
  referer: ['http://[', long],
  'sandbox-signature': ['t=1,v1=a', `t=${Number.MAX_SAFE_INTEGER},v1=${'0'.repeat(64)}`, long],
  'sec-fetch-site': ['cross-site', 'same-site', 'none', 'a'],
  'stripe-signature': ['t=,v1=', long],
  te: ['trailers'],
  traceparent: ['00-', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 'ff-a-b-c'],
  'user-agent': ['', '\x80\xff', long, '<script>'],
  'x-activity': ['background', 'a'],
  'x-client-secret': ['', long],
  'x-cookies': ['blocked', 'a'],
  'x-csrf-token': ['', 'a', 'a'.repeat(43), long],
  'x-forwarded-for': ['unknown', '::ffff:1.2.3.4', '1.1.1.1, 2.2.2.2', '999.1.1.1', ','.repeat(300)],
  'x-forwarded-host': ['evil.test'],
  'x-forwarded-proto': ['https', 'javascript'],
  'x-http-method-override': ['DELETE'],
  'x-session': ['cookie', 'a'],
  'x-socket-id': ['1.1', '-1', '1', `${'1'.repeat(50)}.1`, 'a.b'],
};

function headersOf(schema: unknown): fc.Arbitrary<Record<string, string>> {
  const known = schema === undefined ? fc.constant({}) : valuesOf(schema);
  const odd = fc
    .constantFrom(...Object.keys(oddHeaders))
    .chain((name) => fc.constantFrom(...(oddHeaders[name] ?? [])).map((value) => ({ [name]: value })));
  return fc
    .tuple(
      known,
      fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 2, arbitrary: fc.array(odd, { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([valid, others]) => Object.assign({}, valid, ...others));
}
