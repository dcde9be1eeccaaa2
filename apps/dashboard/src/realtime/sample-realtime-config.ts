import { eventNamespace, type RealtimeConfig } from '@keyturn/contract';

/** For tests: as the server gives it where nothing is set. */
export const sampleRealtimeConfig = (other: Partial<RealtimeConfig> = {}): RealtimeConfig => ({
  broadcaster: 'reverb',
  key: 'app-key',
  host: null,
  port: null,
  scheme: 'https',
  path: '',
  cluster: null,
  module: null,
  namespace: eventNamespace,
  auth_endpoint: '/broadcasting/auth',
  user_auth_endpoint: '/broadcasting/user-auth',
  activity_timeout: 120,
  pong_timeout: 30,
  unavailable_timeout: 10,
  ...other,
});
