import { expect, test } from 'vitest';
import { readErrorReportingConfig } from './error-reporting-config.ts';

const config = {
  dsn: 'https://0a1b@errors.example.com/7',
  environment: 'production',
  release: 'keyturn@1.2.3',
  traces_sample_rate: 0.1,
  replays_session_sample_rate: 0,
  replays_on_error_sample_rate: 1,
  mask_all: false,
};

test('errors go where the configuration says, when it could be meant', () => {
  expect(readErrorReportingConfig(config)).toEqual(config);
});

test.each([
  ['nothing', null],
  ['a text', 'https://0a1b@errors.example.com/7'],
  ['no address', { ...config, dsn: 'errors.example.com' }],
  ['a rate above 1', { ...config, traces_sample_rate: 2 }],
  ['a rate that is a text', { ...config, traces_sample_rate: '1' }],
  ['a mask that is none', { ...config, mask_all: 'on' }],
])('%s sends them nowhere', (_what, found) => {
  expect(readErrorReportingConfig(found)).toBeNull();
});
