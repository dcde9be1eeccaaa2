import { broadcasters, type RealtimeConfig } from '@keyturn/contract';
import { type Check, isInteger, isNullOr, isObjectOf, isOneOf, isString } from '../checks/check.ts';

/** Reads the real-time settings of the page's configuration. @returns null when there are none, or invalid ones (logged) */
export function readRealtimeConfig(
  value: unknown,
  warn: (message: string) => void = console.warn,
): RealtimeConfig | null {
  if (value === null || value === undefined) return null;
  if (isRealtimeConfig(value)) return value;
  warn('The real-time configuration is invalid. The dashboard works without live updates.');
  return null;
}

const isNonEmptyText: Check<string> = (value): value is string => typeof value === 'string' && value !== '';
const isSeconds: Check<number> = (value): value is number => isInteger(value) && value > 0 && value <= 3_600;
const isPort: Check<number> = (value): value is number => isInteger(value) && value > 0 && value < 65_536;
const isHost: Check<string> = (value): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9.-]+$/.test(value);
/** A path on this origin: a second slash would start a host name. */
const isPath: Check<string> = (value): value is string =>
  typeof value === 'string' && /^\/(?![/\\])[^\\\s]*$/.test(value);
const isPathOrEmpty: Check<string> = (value): value is string => value === '' || isPath(value);

const hasValidFields = isObjectOf<RealtimeConfig>({
  broadcaster: isOneOf(broadcasters),
  key: isNonEmptyText,
  host: isNullOr(isHost),
  port: isNullOr(isPort),
  scheme: isOneOf(['https', 'http']),
  path: isPathOrEmpty,
  cluster: isNullOr(isString),
  module: isNullOr(isPath),
  namespace: isString,
  auth_endpoint: isPath,
  user_auth_endpoint: isPath,
  activity_timeout: isSeconds,
  pong_timeout: isSeconds,
  unavailable_timeout: isSeconds,
});

const isRealtimeConfig: Check<RealtimeConfig> = (value): value is RealtimeConfig =>
  hasValidFields(value) && (value.broadcaster !== 'custom' || value.module !== null);
