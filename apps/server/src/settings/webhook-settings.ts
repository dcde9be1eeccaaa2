import type { Environment, SettingReader } from './setting-reader.ts';

/** Where outgoing webhooks may lead. */
export interface WebhookSettings {
  /** Addresses that are not of the public internet. */
  allowsPrivate: boolean;
  /** `http`, without encryption. */
  allowsHttp: boolean;
}

export function readWebhookSettings(reader: SettingReader, environment: Environment): WebhookSettings {
  const isLocal = ['development', 'local', 'test'].includes(environment);
  return {
    allowsPrivate: reader.isOn('KEYTURN_WEBHOOK_PRIVATE_TARGETS', isLocal ? 'on' : 'off'),
    allowsHttp: isLocal,
  };
}
