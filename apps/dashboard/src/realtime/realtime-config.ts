import { broadcasters, type RealtimeConfig } from '@keyturn/contract';
import { type Check, isInteger, isNullOr, isOneOf, isRecordOf, isText } from '../api/client/check.ts';

/** The channel as the page's configuration has it. Null: there is none, or none that could work, which is logged. */
export function readRealtimeConfig(
  found: unknown,
  complain: (message: string) => void = console.warn,
): RealtimeConfig | null {
  if (found === null || found === undefined) return null;
  if (isRealtimeConfig(found)) return found;
  complain('The configuration of the real-time channel is wrong. The dashboard works without it.');
  return null;
}

const isFilled: Check<string> = (value): value is string => typeof value === 'string' && value !== '';
const isSeconds: Check<number> = (value): value is number => isInteger(value) && value > 0 && value <= 3_600;
const isPort: Check<number> = (value): value is number => isInteger(value) && value > 0 && value < 65_536;
const isHost: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9.-]+$/.test(value);
/** Of this origin: a second slash would lead to another. */
const isPath: Check<string> = (value): value is string =>
  typeof value === 'string' && /^\/(?![/\\])[^\\\s]*$/.test(value);
const isPathOrEmpty: Check<string> = (value): value is string => value === '' || isPath(value);

const hasRightFields = isRecordOf<RealtimeConfig>({
  broadcaster: isOneOf(broadcasters),
  key: isFilled,
  host: isNullOr(isHost),
  port: isNullOr(isPort),
  scheme: isOneOf(['https', 'http']),
  path: isPathOrEmpty,
  cluster: isNullOr(isText),
  module: isNullOr(isPath),
  namespace: isText,
  auth_endpoint: isPath,
  user_auth_endpoint: isPath,
  activity_timeout: isSeconds,
  pong_timeout: isSeconds,
  unavailable_timeout: isSeconds,
});

const isRealtimeConfig: Check<RealtimeConfig> = (value): value is RealtimeConfig =>
  hasRightFields(value) && (value.broadcaster !== 'custom' || value.module !== null);
