import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** 2: the work failed. */
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

export interface OtlpCollector {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string;
  spans: CollectedSpan[];
  /** Every body, as it arrived. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  /** The attributes of the servers that have sent spans. */
  resources: { key: string; value: Record<string, unknown> }[][];
  /** What was wrong with requests that do not match the published format. */
  faults: string[];
  close(): Promise<void>;
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
/** 64-bit numbers are texts in the JSON of Protocol Buffers. */
const nanoseconds = { type: 'string', pattern: '^[1-9]\\d{0,19}$' };
const traceId = { type: 'string', pattern: '^(?!0+$)[0-9a-f]{32}$' };
const spanId = { type: 'string', pattern: '^(?!0+$)[0-9a-f]{16}$' };
const record = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const attributes = list(
  record(
    {
      key: { type: 'string', minLength: 1 },
      value: {
        ...record({
          stringValue: text,
          boolValue: { type: 'boolean' },
          intValue: { type: ['integer', 'string'] },
          doubleValue: { type: 'number' },
        }),
        minProperties: 1,
        maxProperties: 1,
      },
    },
    ['key', 'value'],
  ),
);
const event = record({ timeUnixNano: nanoseconds, name: text, attributes, droppedAttributesCount: count });
const link = record({
  traceId,
  spanId,
  traceState: text,
  attributes,
  droppedAttributesCount: count,
  flags: count,
});
const span = record(
  {
    traceId,
    spanId,
    traceState: text,
    parentSpanId: spanId,
    flags: count,
    name: { type: 'string', minLength: 1 },
    kind: { type: 'integer', minimum: 1, maximum: 5 },
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    droppedAttributesCount: count,
    events: list(event),
    droppedEventsCount: count,
    links: list(link),
    droppedLinksCount: count,
    status: record({ message: text, code: { type: 'integer', minimum: 0, maximum: 2 } }),
  },
  ['traceId', 'spanId', 'name', 'kind', 'startTimeUnixNano', 'endTimeUnixNano'],
);
const scope = record({ name: text, version: text, attributes, droppedAttributesCount: count });
const scopeSpans = record({ scope, spans: list(span), schemaUrl: text }, ['spans']);
const resource = record({ attributes, droppedAttributesCount: count, entityRefs: list({}), schemaUrl: text });
const resourceSpans = record({ resource, scopeSpans: list(scopeSpans), schemaUrl: text }, ['scopeSpans']);

/** `ExportTraceServiceRequest` of opentelemetry/proto/collector/trace/v1, in the JSON of OTLP 1.x. */
const checkRequest = new Ajv({ allowUnionTypes: true }).compile<{
  resourceSpans: {
    resource: { attributes: OtlpCollector['resources'][number] };
    scopeSpans: { spans: CollectedSpan[] }[];
  }[];
}>(record({ resourceSpans: list(resourceSpans) }, ['resourceSpans']));

/** Starts a collector of traces that accepts only requests in the published format (OTLP over HTTP, as JSON). */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const collected: Omit<OtlpCollector, 'endpoint' | 'close'> = {
    spans: [],
    bodies: [],
    headers: [],
    resources: [],
    faults: [],
  };
  const receive = (body: string): string | null => {
    const content: unknown = JSON.parse(body);
    if (!checkRequest(content)) return JSON.stringify(checkRequest.errors);
    for (const { resource: from, scopeSpans: scopes } of content.resourceSpans) {
      collected.resources.push(from.attributes);
      collected.spans.push(...scopes.flatMap(({ spans }) => spans));
    }
    return null;
  };
  const server = createServer((request, response) => {
    void request.toArray().then(
      (chunks) => {
        const body = Buffer.concat(chunks).toString();
        collected.bodies.push(body);
        collected.headers.push(request.headers);
        const isTrace = request.method === 'POST' && request.url === '/v1/traces';
        const isJson = request.headers['content-type'] === 'application/json';
        const fault = isTrace && isJson ? receive(body) : `${request.method} ${request.url}`;
        if (fault !== null) collected.faults.push(fault);
        response.writeHead(fault === null ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    ...collected,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
