import { describe, expect, test, vi } from 'vitest';
import { realtimeConfigFixture } from '../../fixtures/realtime-config.ts';
import { readRealtimeConfig } from './realtime-config.ts';

describe('readRealtimeConfig', () => {
  test('returns a valid real-time configuration unchanged', () => {
    const config = realtimeConfigFixture({ host: 'live.example.com', port: 6001, path: '/realtime' });
    expect(readRealtimeConfig(config)).toEqual(config);
  });

  test('returns null without a warning when real-time is not configured', () => {
    const warn = vi.fn();
    expect(readRealtimeConfig(null, warn)).toBeNull();
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    ['an unknown broadcaster', { broadcaster: 'foo' }],
    ['no key', { key: '' }],
    ['a host with a path', { host: 'live.example.com/x' }],
    ['port 0', { port: 0 }],
    ['an endpoint of another origin', { auth_endpoint: '//evil.example/auth' }],
    ['an endpoint with a scheme', { user_auth_endpoint: 'https://evil.example/auth' }],
    ['a module of another origin', { broadcaster: 'custom', module: 'https://evil.example/x.js' }],
    ['a custom broadcaster without a module', { broadcaster: 'custom' }],
    ['an activity timeout of 0 seconds', { activity_timeout: 0 }],
  ])('warns and ignores a real-time configuration with %s', (_case, invalid) => {
    const warn = vi.fn();
    expect(readRealtimeConfig({ ...realtimeConfigFixture(), ...invalid }, warn)).toBeNull();
    expect(warn).toHaveBeenCalledOnce();
  });
});
