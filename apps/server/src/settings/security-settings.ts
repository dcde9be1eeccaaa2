import type { DashboardSettings } from './dashboard-settings.ts';
import type { RealtimeSettings } from './realtime-settings.ts';
import type { SettingReader } from './setting-reader.ts';

export interface SecuritySettings {
  /** Where vulnerabilities are reported, as a URI, for `security.txt`; null: the file is not served. */
  contact: string | null;
  /** The host names, with a port if it is not the usual one, that requests may be sent to; empty: any. */
  allowedHosts: string[];
  /** Whether everyone can read the descriptions of the APIs. */
  servesDescriptions: boolean;
}

/** The other settings that the defaults depend on. */
interface Installed extends Pick<DashboardSettings, 'apiBaseUrl'> {
  isProduction: boolean;
  publicUrl: string | null;
  allowedOrigins: readonly string[];
  realtime: Pick<RealtimeSettings, 'server' | 'scheme' | 'host' | 'port'>;
}

export function readSecurity(reader: SettingReader, installed: Installed): SecuritySettings {
  const contact = reader.optionalText('KEYTURN_SECURITY_CONTACT', {
    expected:
      'an address such as security@firm.example, https://firm.example/security or tel:+44-117-496-0000',
    pattern: /^([\w.+-]{1,64}@[\w-]+(\.[\w-]+)+|https:\/\/[^\s"'<>]{1,500}|tel:\+[\d-]{5,30})$/,
  });
  return {
    contact: contact === null || /^(https|tel):/.test(contact) ? contact : `mailto:${contact}`,
    allowedHosts: readAllowedHosts(reader, installed),
    servesDescriptions: reader.isOn('KEYTURN_API_DESCRIPTIONS', installed.isProduction ? 'off' : 'on'),
  };
}

function readAllowedHosts(reader: SettingReader, installed: Installed): string[] {
  const listed = reader.list('KEYTURN_ALLOWED_HOSTS').map((host) => host.toLowerCase());
  if (!listed.every((host) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(host))) {
    reader.report('KEYTURN_ALLOWED_HOSTS must be host names like clients.example.com, separated by commas');
  }
  const { isProduction, publicUrl, allowedOrigins } = installed;
  if (listed.length > 0 || !isProduction || publicUrl === null) return listed;
  // Then the public URL is that of the dashboard, and no setting names the host of the API.
  if (allowedOrigins.length > 0) {
    reader.report(
      'KEYTURN_ALLOWED_HOSTS must be set in production if KEYTURN_ALLOWED_ORIGINS is: name the hosts that browsers reach this server at, such as api.example.com',
    );
  }
  return [...new Set(hostsOf(publicUrl, installed))];
}

/** Returns the hosts that browsers reach the servers of this installation at: for pages, the API and live updates. */
function hostsOf(publicUrl: string, { apiBaseUrl, realtime }: Installed): string[] {
  const addresses = [publicUrl];
  if (!apiBaseUrl.startsWith('/')) addresses.push(apiBaseUrl);
  if (realtime.server === 'embedded' && realtime.host !== null) {
    const port = realtime.port === null ? '' : `:${realtime.port}`;
    addresses.push(`${realtime.scheme}://${realtime.host}${port}`);
  }
  return addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).host);
}
