import { calls } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { recordedCallPatterns } from './recorded-calls.ts';

const isRecorded = (address: string, apiBaseUrl: string) => {
  const { allowed, denied } = recordedCallPatterns(apiBaseUrl, 'https://dashboard.example.com');
  return allowed.test(address) && !denied.test(address);
};

describe('recording of API calls', () => {
  test.each([
    ['/api', 'https://dashboard.example.com/api/client'],
    ['/api', 'https://dashboard.example.com/api/case-searches/7?with=all'],
    ['https://client-api.example.com/api', 'https://client-api.example.com/api/client'],
    ['https://client-api.example.com', 'https://client-api.example.com/client'],
  ])('with the API at %s, records the body of a call to %s', (base, address) => {
    expect(isRecorded(address, base)).toBe(true);
  });

  test.each([
    ['/api', 'https://dashboard.example.com/builds/latest.json'],
    ['/api', 'https://dashboard.example.com/apis/client'],
    ['/api', 'https://elsewhere.example.com/api/client'],
    ['/api', 'https://elsewhere.example.com/?next=https://dashboard.example.com/api/client'],
    ['https://client-api.example.com/api', 'https://dashboard.example.com/api/client'],
    ['https://client-api.example.com/api', 'https://client-api.example.com.elsewhere.example/api/client'],
    ['https://client-api.example.com/api', 'https://client-apiXexample.com/api/client'],
    ['https://client-api.example.com/api', 'https://js.stripe.com/endive/stripe.js'],
  ])('with the API at %s, does not record the body of a call to %s', (base, address) => {
    expect(isRecorded(address, base)).toBe(false);
  });

  test('records no body of a call with data that screens hide from recordings', () => {
    const recorded = Object.keys(calls)
      .map((call) => call.split(' ')[1]?.replaceAll(/\{\w+\}/g, '7') ?? '')
      .filter((path) => isRecorded(`https://dashboard.example.com/api${path}?as=it`, '/api'));
    expect([...new Set(recorded)].sort()).toEqual([
      '/case-history',
      '/case-searches',
      '/case-searches/7',
      '/client',
      '/client/active-case',
      '/maintenance',
      '/milestones',
    ]);
  });
});
