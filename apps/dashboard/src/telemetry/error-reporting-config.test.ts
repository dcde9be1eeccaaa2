import { expect, test } from 'vitest';
import { readErrorReportingConfig } from './error-reporting-config.ts';

const config = {
  dsn: 'https://0a1b@errors.example.com/7',
  environment: 'production',
  release: 'keyturn@1.2.3',
  traces_sample_rate: 0.1,
  replays_session_sample_rate: 0,
  replays_on_error_sample_rate: 1,
  recording_consent: 'asked',
  mask_all: false,
};

test('reads a valid error reporting configuration', () => {
  expect(readErrorReportingConfig(config)).toEqual(config);
});

test.each([
  ['null', null],
  ['a string', 'https://0a1b@errors.example.com/7'],
  ['a DSN that is no URL', { ...config, dsn: 'errors.example.com' }],
  ['a sample rate above 1', { ...config, traces_sample_rate: 2 }],
  ['a sample rate that is a string', { ...config, traces_sample_rate: '1' }],
  ['an unknown kind of consent', { ...config, recording_consent: 'given' }],
  ['a mask setting that is no boolean', { ...config, mask_all: 'on' }],
])('ignores an error reporting configuration with %s', (_case, config) => {
  expect(readErrorReportingConfig(config)).toBeNull();
});
