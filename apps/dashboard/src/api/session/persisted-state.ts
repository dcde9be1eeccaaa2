import type { PublicConfig } from '@keyturn/contract';

type StorageKind = PublicConfig['persisted_state']['storage'];
type StorageOptions = PublicConfig['persisted_state']['options'];

/**
 * Named entries that the browser stores across visits, as JSON with a version. Entries with a different version, invalid
 * JSON, dangerous keys or too much data count as missing, and readers must check the rest. Without storage in the browser,
 * entries last until the page is closed.
 */
export interface PersistedState {
  /** A `cookie` has room for some 4 KB only. */
  readonly kind: StorageKind;
  /** Whether entries outlast the page. */
  readonly lasts: boolean;
  read(name: string): unknown;
  /** @param seconds the lifetime of a cookie, limited to the configured days */
  write(name: string, value: unknown, seconds?: number): void;
  remove(name: string): void;
  /** Listens for entries that other tabs have changed. @returns a function that stops listening */
  onChangeElsewhere(listener: (name: string) => void): () => void;
}

export interface BrowserParts {
  localStorage: () => Storage;
  sessionStorage: () => Storage;
  document: { cookie: string };
  isSecure: boolean;
  /** The target of `storage` events. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'> | null;
}

/** Raise it with every change of the stored data; entries of other versions are ignored. */
const version = 1;
const maxLength = 1_000_000;

export function openPersistedState(
  { storage: kind, options }: PublicConfig['persisted_state'],
  browser: BrowserParts,
): PersistedState {
  const { prefix, max_age_days } = options;
  const store = openStore(kind, browser, options);
  // Entries that did not fit into the store, or all entries if there is none.
  const memory = new Map<string, string>();
  const announce = (name: string, removed: boolean) => browser.channel?.postMessage({ name, removed });
  const forget = (name: string) => {
    memory.delete(name);
    attempt(() => store?.remove(name));
  };

  return {
    kind,
    lasts: store !== null,
    read: (name) => parse(memory.get(name) ?? attempt(() => store?.read(name)) ?? null),
    write: (name, value, seconds = Number.POSITIVE_INFINITY) => {
      const text = JSON.stringify({ version, value });
      memory.delete(name);
      const kept = attempt(() => store?.write(name, text, Math.min(seconds, max_age_days * 86_400))) === true;
      if (!kept) {
        forget(name);
        memory.set(name, text);
      }
      announce(name, false);
    },
    remove: (name) => {
      forget(name);
      announce(name, true);
    },
    onChangeElsewhere: (listener) => {
      const onStorage = (event: Event) => {
        const { key, storageArea } = event as StorageEvent;
        if (kind !== 'local' || storageArea !== attempt(browser.localStorage)) return;
        if (key === null) for (const name of ['auth', 'case']) listener(name);
        else if (key.startsWith(prefix)) listener(key.slice(prefix.length));
      };
      const onMessage = (event: Event) => {
        const { name, removed } = (event as MessageEvent<{ name?: unknown; removed?: unknown }>).data ?? {};
        if (typeof name !== 'string') return;
        // A removal applies to every tab, but session storage does not share what was written.
        if (removed === true) forget(name);
        if (removed === true || kind !== 'session') listener(name);
      };
      browser.events.addEventListener('storage', onStorage);
      browser.channel?.addEventListener('message', onMessage);
      return () => {
        browser.events.removeEventListener('storage', onStorage);
        browser.channel?.removeEventListener('message', onMessage);
      };
    },
  };
}

interface Store {
  read(name: string): string | null;
  /** @returns whether the entry was stored */
  write(name: string, text: string, seconds: number): boolean;
  remove(name: string): void;
}

/** Opens the configured store. @returns null if the browser does not allow it */
function openStore(kind: StorageKind, browser: BrowserParts, options: StorageOptions): Store | null {
  const store = attempt(() =>
    kind === 'cookie'
      ? cookieStore(browser, options)
      : webStore(kind === 'local' ? browser.localStorage() : browser.sessionStorage(), options),
  );
  const works = attempt(() => {
    store?.write('probe', '1', 60);
    const kept = store?.read('probe') === '1';
    store?.remove('probe');
    return kept;
  });
  return works && store ? store : null;
}

function webStore(storage: Storage, { prefix }: StorageOptions): Store {
  return {
    read: (name) => storage.getItem(prefix + name),
    write: (name, text) => {
      storage.setItem(prefix + name, text);
      return true;
    },
    remove: (name) => storage.removeItem(prefix + name),
  };
}

function cookieStore({ document, isSecure }: BrowserParts, options: StorageOptions): Store {
  const { prefix, cookie_domain, cookie_same_site } = options;
  const attributes = [
    'Path=/',
    `SameSite=${cookie_same_site === 'lax' ? 'Lax' : 'Strict'}`,
    ...(cookie_domain ? [`Domain=${cookie_domain}`] : []),
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
  const set = (name: string, text: string, seconds: number) => {
    document.cookie = `${prefix}${name}=${text}; Max-Age=${seconds}; ${attributes}`;
  };
  const read = (name: string) => {
    const start = `${prefix}${name}=`;
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(start));
    return found === undefined ? null : decodeURIComponent(found.slice(start.length));
  };
  return {
    read,
    write: (name, text, seconds) => {
      set(name, encodeURIComponent(text), seconds);
      return read(name) === text;
    },
    remove: (name) => set(name, '', 0),
  };
}

function parse(text: string | null): unknown {
  if (text === null || text.length > maxLength) return undefined;
  return attempt(() => {
    const entry: unknown = JSON.parse(text, (key, value) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Error(key);
      return value;
    });
    const { version: found, value } = entry as { version?: unknown; value?: unknown };
    return found === version ? value : undefined;
  });
}

/** Any access to storage can throw: it may be blocked, full or damaged. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
