import type { PublicConfig } from '@keyturn/contract';

/** The settings in the page that the desk uses. */
export type DeskConfig = Pick<
  PublicConfig,
  'product_name' | 'firm' | 'demonstration' | 'environment' | 'realtime' | 'api_descriptions'
>;

let config: DeskConfig | undefined;

/**
 * Reads the settings from the page.
 * @throws Error if the page was served without them
 */
export function readConfig(document: Document): DeskConfig {
  config = JSON.parse(document.getElementById('keyturn-config')?.textContent ?? 'null') ?? undefined;
  return getConfig();
}

/** Returns the settings. They never change while a page is open. */
export function getConfig(): DeskConfig {
  if (!config) throw new Error('the page has no settings of the server');
  return config;
}
