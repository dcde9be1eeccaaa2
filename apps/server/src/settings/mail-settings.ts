import type { Environment, SettingReader } from './setting-reader.ts';

export interface MailSettings {
  /** Null: emails become files in the data directory's outbox. */
  smtpUrl: string | null;
  from: string;
}

export function readMailSettings(reader: SettingReader, environment: Environment): MailSettings {
  const chosen = reader.secret('KEYTURN_SMTP_URL', {
    expected: 'an address like smtp://user:password@host:587, or off',
    pattern: /^(smtps?:\/\/\S+|off)$/,
  });
  const smtpUrl = chosen === 'off' ? null : chosen;
  const from = reader.optionalText('KEYTURN_MAIL_FROM', {
    expected: 'an email address',
    pattern: /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/,
  });
  if (chosen === null && environment === 'production') {
    reader.report(
      'KEYTURN_SMTP_URL must be set in production, or off to keep mails as files in the data directory, unsent',
    );
  }
  if (smtpUrl !== null && from === null) {
    reader.report('KEYTURN_MAIL_FROM must be set if KEYTURN_SMTP_URL is set');
  }
  return { smtpUrl, from: from ?? 'no-reply@keyturn.invalid' };
}
