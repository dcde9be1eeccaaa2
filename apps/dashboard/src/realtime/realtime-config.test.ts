import { describe, expect, test, vi } from 'vitest';
import { readRealtimeConfig } from './realtime-config.ts';
import { sampleRealtimeConfig } from './sample-realtime-config.ts';

describe('the configuration of the channel', () => {
  test('is taken as it is when it is whole', () => {
    const config = sampleRealtimeConfig({ host: 'live.example.com', port: 6001, path: '/realtime' });
    expect(readRealtimeConfig(config)).toEqual(config);
  });

  test('is none without a word where there is none', () => {
    const complain = vi.fn();
    expect(readRealtimeConfig(null, complain)).toBeNull();
    expect(complain).not.toHaveBeenCalled();
  });

  test.each([
    ['an unknown broadcaster', { broadcaster: 'foo' }],
    ['no key', { key: '' }],
    ['a host with a path', { host: 'live.example.com/x' }],
    ['a port that is none', { port: 0 }],
    ['an endpoint of another origin', { auth_endpoint: '//evil.example/auth' }],
    ['an endpoint with a scheme', { user_auth_endpoint: 'https://evil.example/auth' }],
    ['a module of another origin', { broadcaster: 'custom', module: 'https://evil.example/x.js' }],
    ['a custom broadcaster without a module', { broadcaster: 'custom' }],
    ['no seconds', { activity_timeout: 0 }],
  ])('with %s is treated as none, and logged', (_, wrong) => {
    const complain = vi.fn();
    expect(readRealtimeConfig({ ...sampleRealtimeConfig(), ...wrong }, complain)).toBeNull();
    expect(complain).toHaveBeenCalledOnce();
  });
});
