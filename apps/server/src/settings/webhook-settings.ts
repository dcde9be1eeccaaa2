import type { WebhookTargetRules } from '../platform/webhook-target-rules.ts';
import type { Environment, SettingReader } from './setting-reader.ts';

export function readWebhookSettings(reader: SettingReader, environment: Environment): WebhookTargetRules {
  const isLocal = ['development', 'local', 'test'].includes(environment);
  return {
    allowsPrivate: reader.isOn('KEYTURN_WEBHOOK_PRIVATE_TARGETS', isLocal ? 'on' : 'off'),
    allowsHttp: isLocal,
  };
}
