import { decodePercent } from '../platform/requests/decode-percent.ts';
import type { SettingReader } from './setting-reader.ts';

/** Where traces are sent and what is traced, from the standard variables of OpenTelemetry. */
export interface TracingSettings {
  /** Where traces are sent, such as `http://collector:4318/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  /** Attributes of this server, such as `service.name`. */
  resource: Record<string, string>;
  sampler: { name: string; ratio: number };
}

const headersName = 'OTEL_EXPORTER_OTLP_HEADERS';
const resourceName = 'OTEL_RESOURCE_ATTRIBUTES';

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Reads the settings of tracing. @returns null without a collector: nothing is traced */
export function readTracing(reader: SettingReader): TracingSettings | null {
  const address = { expected: 'an address such as http://collector:4318', pattern: /^https?:\/\/[^\s?#]+$/ };
  const base = reader.optionalText('OTEL_EXPORTER_OTLP_ENDPOINT', address);
  const whole = reader.optionalText('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', address);
  const protocol = reader.optional('OTEL_EXPORTER_OTLP_PROTOCOL') ?? 'http/json';
  const name = reader.text('OTEL_SERVICE_NAME', 'keyturn');
  const headers = readPairs(reader, headersName, reader.secretList(headersName));
  const resource = readPairs(reader, resourceName, reader.list(resourceName));
  const sampler = reader.choice('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on');
  const ratio = readRatio(reader);
  const isOff = reader.choice('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  const url = whole ?? (base === null ? null : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === null || isOff) return null;
  if (protocol !== 'http/json')
    reader.report(`OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, not "${protocol}"`);
  return {
    url,
    headers,
    resource: { ...resource, 'service.name': name },
    sampler: { name: sampler, ratio },
  };
}

/** Splits `name=value` pairs. Values are percent-encoded. Messages leave out the values, which may be secret. */
function readPairs(reader: SettingReader, name: string, values: readonly string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of values) {
    const [, key, value] = /^([\w.-]{1,100})\s*=\s*([\x21-\x7e]*)$/.exec(pair) ?? [];
    const decoded = value === undefined ? null : decodePercent(value);
    if (key === undefined || decoded === null)
      reader.report(`${name} must be pairs like name=value, separated by commas`);
    else pairs[key] = decoded;
  }
  return pairs;
}

function readRatio(reader: SettingReader): number {
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG', '1', {
    expected: 'a number from 0 to 1',
    pattern: /^(0|1|1\.0+|0?\.\d{1,6})$/,
  });
  return Number(text);
}
