import fc from 'fast-check';
import { describedRoutes } from './described-routes.ts';
import { type AnyRequest, requestsFor } from './requests.ts';

/** A request as bytes, which may not be HTTP. */
export interface RawRequest {
  request: AnyRequest;
  /** How its bytes differ from HTTP. */
  fault: string;
  /** Chooses a place or an amount. */
  number: number;
}

/** The parts of an HTTP request, in which names such as `@@matters@@` have been replaced. */
export interface HttpParts {
  method: string;
  url: string;
  headers: [string, string][];
  content: Buffer;
}

/** `rejected`: a status of 4xx, or the end of the connection; `any`: what the route answers. */
type Expectation = 'rejected' | 'any';

interface RawFault {
  expected: Expectation;
  /** Whether the request never ends, so that its sender ends the connection. */
  isIncomplete?: true;
  write(parts: HttpParts, number: number): Buffer;
}

const head = ({ method, url, headers }: HttpParts, line = `${method} ${url} HTTP/1.1`) =>
  `${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/** Headers are sent as Latin-1, as Node.js reads them. */
const bytes = (text: string) => Buffer.from(text, 'latin1');
const length = ({ content }: HttpParts): [string, string] => ['content-length', String(content.length)];
const withHeaders = (parts: HttpParts, ...more: [string, string][]): HttpParts => ({
  ...parts,
  headers: [...parts.headers, ...more],
});
/** Encodes a request in valid HTTP. */
export const encodeRequest = (parts: HttpParts) =>
  Buffer.concat([bytes(head(withHeaders(parts, length(parts)))), parts.content]);
/** Adds headers to a request with a body of a few bytes. */
const framed = (headers: [string, string][], content: string) => (parts: HttpParts) =>
  Buffer.concat([bytes(head(withHeaders({ ...parts, method: 'POST' }, ...headers))), bytes(content)]);
/** Harmless, because its effects could count as those of the next input. */
const smuggled = 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n';
const chunked: [string, string] = ['transfer-encoding', 'chunked'];

export const rawFaults: Record<string, RawFault> = {
  none: { expected: 'any', write: encodeRequest },
  'a body in chunks': { expected: 'any', write: framed([chunked], '2\r\n{}\r\n0\r\n\r\n') },
  'two requests': {
    expected: 'any',
    write: (parts) => Buffer.concat([encodeRequest(parts), bytes(smuggled)]),
  },
  'a request after the body': { expected: 'any', write: framed([['content-length', '2']], `{}${smuggled}`) },
  'a truncated request': {
    expected: 'any',
    isIncomplete: true,
    write: (parts, number) =>
      encodeRequest(parts).subarray(0, 1 + (number % Math.max(1, encodeRequest(parts).length - 1))),
  },
  'a body that is too short': {
    expected: 'any',
    isIncomplete: true,
    write: framed([['content-length', '9']], '{}'),
  },
  'two lengths': {
    expected: 'rejected',
    write: framed(
      [
        ['content-length', '2'],
        ['content-length', '40'],
      ],
      `{}${smuggled}`,
    ),
  },
  'a length and chunks': {
    expected: 'rejected',
    write: framed([['content-length', '2'], chunked], `0\r\n\r\n${smuggled}`),
  },
  'a negative length': { expected: 'rejected', write: framed([['content-length', '-1']], '{}') },
  'a length in hexadecimal': { expected: 'rejected', write: framed([['content-length', '0x2']], '{}') },
  'an enormous length': { expected: 'rejected', write: framed([['content-length', '9'.repeat(40)]], '{}') },
  'a list of lengths': { expected: 'rejected', write: framed([['content-length', '2, 2']], '{}') },
  'an unknown coding': {
    expected: 'rejected',
    write: framed([['transfer-encoding', 'x-chunked']], `{}${smuggled}`),
  },
  'chunks before a coding': {
    expected: 'rejected',
    write: framed([['transfer-encoding', 'chunked, gzip']], `0\r\n\r\n${smuggled}`),
  },
  'an invalid chunk': { expected: 'rejected', write: framed([chunked], 'zz\r\n{}\r\n0\r\n\r\n') },
  'an enormous chunk': {
    expected: 'rejected',
    write: framed([chunked], `${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`),
  },
  'a long chunk extension': {
    expected: 'rejected',
    write: framed([chunked], `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  },
  'a space before a colon': {
    expected: 'rejected',
    write: (parts) => bytes(head(parts).replace('host:', 'host :')),
  },
  'a folded header': {
    expected: 'rejected',
    write: (parts) => bytes(head(parts).replace('\r\n\r\n', '\r\n a: b\r\n\r\n').replace('host:', ' host:')),
  },
  'NUL in a header': {
    expected: 'rejected',
    write: (parts) => bytes(head(withHeaders(parts, ['x-a', 'a\0b']))),
  },
  'a bare line feed in a header': {
    expected: 'rejected',
    write: (parts) => bytes(head(withHeaders(parts, ['x-a', 'a\nb']))),
  },
  'long headers': {
    expected: 'rejected',
    write: (parts) => bytes(head(withHeaders(parts, ['x-a', 'a'.repeat(20_000)]))),
  },
  'many headers': {
    expected: 'any',
    write: (parts, number) =>
      encodeRequest(
        withHeaders(
          parts,
          ...Array.from({ length: number % 1_900 }, (_, at): [string, string] => [`x-${at}`, '1']),
        ),
      ),
  },
  'no host': {
    expected: 'rejected',
    write: (parts) => bytes(head({ ...parts, headers: parts.headers.filter(([name]) => name !== 'host') })),
  },
  'two hosts': {
    expected: 'rejected',
    write: (parts) => encodeRequest(withHeaders(parts, ['host', 'evil.test'])),
  },
  'an absolute URL': {
    expected: 'any',
    write: (parts) => encodeRequest({ ...parts, url: `http://evil.test${parts.url}` }),
  },
  'an asterisk as URL': {
    expected: 'any',
    write: (parts) => bytes(head({ ...parts, method: 'OPTIONS', url: '*' })),
  },
  'a URL without a slash': { expected: 'rejected', write: (parts) => bytes(head({ ...parts, url: 'a/b' })) },
  'a tunnel': {
    expected: 'rejected',
    write: (parts) => bytes(head({ ...parts, method: 'CONNECT', url: 'evil.test:443' })),
  },
  'a lower-case method': {
    expected: 'rejected',
    write: (parts) => bytes(head(parts, `get ${parts.url} HTTP/1.1`)),
  },
  'an unknown method': {
    expected: 'rejected',
    write: (parts) => bytes(head(parts, `EVIL ${parts.url} HTTP/1.1`)),
  },
  'HTTP 0.9': { expected: 'rejected', write: ({ url }) => bytes(`GET ${url}\r\n\r\n`) },
  'HTTP 9.9': { expected: 'rejected', write: (parts) => bytes(head(parts, `GET ${parts.url} HTTP/9.9`)) },
  'the preface of HTTP 2': { expected: 'rejected', write: () => bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n') },
  'an upgrade to HTTP 2': {
    expected: 'any',
    write: (parts) =>
      encodeRequest(
        withHeaders(
          parts,
          ['upgrade', 'h2c'],
          ['connection', 'Upgrade, HTTP2-Settings'],
          ['http2-settings', 'AAMAAABk'],
        ),
      ),
  },
  'an upgrade to no WebSocket of ours': {
    expected: 'rejected',
    write: (parts) =>
      bytes(
        head({
          ...withHeaders(
            parts,
            ['upgrade', 'websocket'],
            ['connection', 'Upgrade'],
            ['sec-websocket-version', '13'],
            ['sec-websocket-key', 'AA=='],
          ),
          method: 'GET',
        }),
      ),
  },
  'a greeting of TLS': { expected: 'rejected', write: () => Buffer.from('16030100a5010000a10303', 'hex') },
  'a line without a version': { expected: 'rejected', write: () => bytes('GET / \r\n\r\n') },
};

const routes = describedRoutes.map(requestsFor);

/** Creates requests to any route, most of them with a fault that only a parser of HTTP notices. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc.record({
  request: fc.oneof(...routes),
  fault: fc.oneof(
    fc.constant('none'),
    fc.constantFrom(...Object.keys(rawFaults)),
    fc.constantFrom(...Object.keys(rawFaults)),
  ),
  number: fc.nat(4_000),
});

/** Removes what cannot be part of a URL or a header line, so that only the chosen fault is one. */
export const toHttpParts = ({ method, url, headers, content }: HttpParts): HttpParts => ({
  method,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the line
  url: url.replaceAll(/[\x00-\x20\x7f-\uffff]/g, encodeURIComponent),
  headers: headers
    .filter(([name]) => !['content-length', 'connection', 'expect', 'te'].includes(name))
    .map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?')]),
  content,
});
