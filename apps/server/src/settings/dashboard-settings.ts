import { resolve } from 'node:path';
import type { SettingReader } from './setting-reader.ts';

/**
 * The settings that the server passes on to the dashboard, and the locations of the builds of the dashboard and the
 * desk.
 */
export interface DashboardSettings {
  productName: string;
  apiBaseUrl: string;
  /** Null: the dashboard's build in the project. */
  dashboardDirectory: string | null;
  /** Null: the desk's build in the project. */
  deskDirectory: string | null;
  /** Seconds between two checks of an open tab for a newer build; 0: never. */
  buildCheckSeconds: number;
  persistedState: {
    storage: 'local' | 'session' | 'cookie';
    prefix: string;
    maxAgeDays: number;
    cookieDomain: string | null;
    cookieSameSite: 'strict' | 'lax';
  };
  dataGrid: { edition: 'community' | 'enterprise'; licenceKey: string | null };
}

export function readDashboardSettings(
  reader: SettingReader,
  projectDirectory: string,
  isProduction: boolean,
): DashboardSettings {
  const readDirectory = (name: string) => {
    const directory = reader.optional(name);
    return directory && resolve(projectDirectory, directory);
  };
  const apiBaseUrl = reader.text('KEYTURN_API_BASE_URL', '/api', {
    expected: 'a path such as /api or an https address',
    pattern: /^(\/[\w/-]*|https?:\/\/[^\s"'<>]+)$/,
  });
  return {
    productName: reader.text('KEYTURN_PRODUCT_NAME', 'Keyturn', {
      expected: 'at most 60 characters',
      pattern: /^.{1,60}$/u,
    }),
    apiBaseUrl: apiBaseUrl.replace(/\/$/, ''),
    dashboardDirectory: readDirectory('KEYTURN_DASHBOARD_DIR'),
    deskDirectory: readDirectory('KEYTURN_DESK_DIR'),
    buildCheckSeconds: reader.wholeNumber('KEYTURN_BUILD_CHECK_SECONDS', 3_600, { min: 0, max: 604_800 }),
    persistedState: readPersistedState(reader),
    dataGrid: readDataGrid(reader, isProduction),
  };
}

/** AG Grid’s terms allow the enterprise edition without a key for development and evaluation only. */
function readDataGrid(reader: SettingReader, isProduction: boolean): DashboardSettings['dataGrid'] {
  const licenceKey = reader.secret('KEYTURN_DATA_GRID_LICENCE_KEY');
  const fallback = isProduction && licenceKey === null ? 'community' : 'enterprise';
  return {
    edition: reader.choice('KEYTURN_DATA_GRID_EDITION', ['community', 'enterprise'], fallback),
    licenceKey,
  };
}

const readPersistedState = (reader: SettingReader): DashboardSettings['persistedState'] => ({
  storage: reader.choice('KEYTURN_PERSISTED_STATE_STORAGE', ['local', 'session', 'cookie'], 'local'),
  prefix: reader.text('KEYTURN_PERSISTED_STATE_PREFIX', 'keyturn.', {
    expected: '1 to 40 letters, digits, dots and hyphens',
    pattern: /^[\w.-]{1,40}$/,
  }),
  maxAgeDays: reader.wholeNumber('KEYTURN_PERSISTED_STATE_MAX_AGE_DAYS', 30, { min: 1, max: 400 }),
  cookieDomain: reader.optionalText('KEYTURN_PERSISTED_STATE_COOKIE_DOMAIN', {
    expected: 'a host name such as example.com',
    pattern: /^([a-z0-9-]+\.)*[a-z0-9-]+$/i,
  }),
  cookieSameSite: reader.choice('KEYTURN_PERSISTED_STATE_COOKIE_SAME_SITE', ['strict', 'lax'], 'strict'),
});
