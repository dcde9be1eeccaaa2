import type { ErrorReportingConfig } from '@keyturn/contract';
import { type Check, isFlag, isNumber, isRecordOf, isText } from '../api/client/check.ts';

/** Reads the error reporting settings of the page's configuration. @returns null when they are missing or invalid */
export function readErrorReportingConfig(value: unknown): ErrorReportingConfig | null {
  return isErrorReportingConfig(value) ? value : null;
}

const isRate: Check<number> = (value): value is number => isNumber(value) && value >= 0 && value <= 1;
const isDsn: Check<string> = (value): value is string => isText(value) && /^https?:\/\/\w+@/.test(value);

const isErrorReportingConfig = isRecordOf<ErrorReportingConfig>({
  dsn: isDsn,
  environment: isText,
  release: isText,
  traces_sample_rate: isRate,
  replays_session_sample_rate: isRate,
  replays_on_error_sample_rate: isRate,
  mask_all: isFlag,
});
