import { calls } from '@keyturn/contract';
import { describe, expect, test } from 'vitest';
import { recordedCallPatterns } from './recorded-calls.ts';

const isRecorded = (address: string, apiBaseUrl: string) => {
  const { allowed, denied } = recordedCallPatterns(apiBaseUrl, 'https://dashboard.example.com');
  return allowed.test(address) && !denied.test(address);
};

describe('more than the address is recorded', () => {
  test.each([
    ['/api', 'https://dashboard.example.com/api/client'],
    ['/api', 'https://dashboard.example.com/api/case-searches/7?with=all'],
    ['https://client-api.example.com/api', 'https://client-api.example.com/api/client'],
    ['https://client-api.example.com', 'https://client-api.example.com/client'],
  ])('with the API at %s, of a call to %s', (base, address) => {
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
  ])('with the API at %s, not of a call to %s', (base, address) => {
    expect(isRecorded(address, base)).toBe(false);
  });

  test('of no call that carries what is hidden on the screen as well', () => {
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
