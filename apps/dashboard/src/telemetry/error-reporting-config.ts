import {
  type Check,
  isBoolean,
  isNumber,
  isObjectOf,
  isOneOf,
  isString,
} from '@keyturn/browser/checks/check.ts';
import { type ErrorReportingConfig, recordingConsents } from '@keyturn/contract';

/** Reads the error reporting settings of the page's configuration. @returns null when they are missing or invalid */
export function readErrorReportingConfig(value: unknown): ErrorReportingConfig | null {
  return isErrorReportingConfig(value) ? value : null;
}

const isRate: Check<number> = (value): value is number => isNumber(value) && value >= 0 && value <= 1;
const isDsn: Check<string> = (value): value is string => isString(value) && /^https?:\/\/\w+@/.test(value);

const isErrorReportingConfig = isObjectOf<ErrorReportingConfig>({
  dsn: isDsn,
  environment: isString,
  release: isString,
  traces_sample_rate: isRate,
  replays_session_sample_rate: isRate,
  replays_on_error_sample_rate: isRate,
  recording_consent: isOneOf(recordingConsents),
  mask_all: isBoolean,
});
