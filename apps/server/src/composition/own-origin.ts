import type { Settings } from '../settings/read-settings.ts';

/** Returns how clients and staff reach this server: the origin is null if no setting names it. */
export const ownOrigin = ({ publicUrl }: Pick<Settings, 'publicUrl'>) => ({
  origin: publicUrl && new URL(publicUrl).origin,
  isHttps: publicUrl?.startsWith('https:') === true,
});
