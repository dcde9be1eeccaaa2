import type { SettingReader } from './setting-reader.ts';

export interface SecuritySettings {
  /** Where vulnerabilities are reported, as a URI, for `security.txt`; null: the file is not served. */
  contact: string | null;
  /** The host names, with a port if it is not the usual one, that requests may be sent to; empty: any. */
  allowedHosts: string[];
  /** Whether everyone can read the descriptions of the APIs. */
  servesDescriptions: boolean;
}

export function readSecurity(reader: SettingReader): SecuritySettings {
  const contact = reader.optionalText('KEYTURN_SECURITY_CONTACT', {
    expected:
      'an address such as security@firm.example, https://firm.example/security or tel:+44-117-496-0000',
    pattern: /^([\w.+-]{1,64}@[\w-]+(\.[\w-]+)+|https:\/\/[^\s"'<>]{1,500}|tel:\+[\d-]{5,30})$/,
  });
  const allowedHosts = reader.list('KEYTURN_ALLOWED_HOSTS').map((host) => host.toLowerCase());
  if (!allowedHosts.every((host) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(host))) {
    reader.report('KEYTURN_ALLOWED_HOSTS must be host names like clients.example.com, separated by commas');
  }
  return {
    contact: contact === null || /^(https|tel):/.test(contact) ? contact : `mailto:${contact}`,
    allowedHosts,
    servesDescriptions: reader.isOn('KEYTURN_API_DESCRIPTIONS', 'on'),
  };
}
