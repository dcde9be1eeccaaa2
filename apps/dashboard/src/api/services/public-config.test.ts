import { describe, expect, test } from 'vitest';
import { caseFixture } from '../../../fixtures/entities.ts';
import { readPublicConfig } from './public-config.ts';

const config = {
  product_name: 'Turnkey',
  environment: 'staging',
  api_base_url: 'https://client-api.example/',
  firm: caseFixture().firm,
  regulated_by: 'Regulated by the Council for Licensed Conveyancers (practice number 1).',
  regulation: null,
  persisted_state: {
    storage: 'session',
    options: { prefix: 'alder.', max_age_days: 7, cookie_domain: null, cookie_same_site: 'lax' },
  },
  payments: {
    provider: 'sandbox',
    purposes: ['search', 'legal_fees'],
    publishable_key: 'pk_sandbox',
    methods: {
      card: { purposes: ['search'], limits: { min: 100, max: 250_000, daily_max: 500_000 } },
      bank: { purposes: ['legal_fees'], limits: { min: 100, max: 500_000, daily_max: 500_000 } },
    },
  },
  session: { idle_after: 900 },
  builds: { check_every: 600 },
  realtime: null,
  error_reporting: null,
  data_grid: { edition: 'enterprise', licence_key: null },
  maintenance: { general: null, case_history: { message: 'Back soon.', until: null } },
  demonstration: true,
  api_descriptions: true,
};

describe('the public configuration', () => {
  test('the public configuration is read from the page, without a trailing slash in the API URL', () => {
    expect(readPublicConfig(JSON.stringify(config))).toEqual({
      ...config,
      api_base_url: 'https://client-api.example',
    });
  });

  test.each([null, undefined, '', '{', '[]', '"x"', JSON.stringify({ ...config, firm: { name: 'Alder' } })])(
    'falls back to the defaults without a valid configuration (%j)',
    (text) => {
      expect(readPublicConfig(text)).toMatchObject({
        product_name: 'Keyturn',
        api_base_url: '/api',
        firm: null,
      });
    },
  );
});
