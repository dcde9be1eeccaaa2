import type { PublicConfig } from '@keyturn/contract';

type StorageKind = PublicConfig['persisted_state']['storage'];
type StorageOptions = PublicConfig['persisted_state']['options'];

/**
 * What the browser keeps across visits, by name, as JSON with the version of its form. Everything read from it is
 * hostile until its reader has checked it: a wrong version, broken JSON, dangerous keys or too much of it count as
 * nothing. Where the browser gives no storage, it holds until the page is left.
 */
export interface PersistedState {
  /** `cookie` holds some 4 KB in all, so its users keep little there. */
  readonly kind: StorageKind;
  /** Whether the browser keeps anything: else all is gone with the page. */
  readonly lasts: boolean;
  read(name: string): unknown;
  /** `seconds`: how long a cookie lives, and never longer than the configured days. */
  write(name: string, value: unknown, seconds?: number): void;
  remove(name: string): void;
  /** Calls back when another tab wrote or removed something that this tab shares with it. Returns the way out. */
  onChangeElsewhere(listener: (name: string) => void): () => void;
}

export interface BrowserParts {
  localStorage: () => Storage;
  sessionStorage: () => Storage;
  document: { cookie: string };
  isSecure: boolean;
  /** Gets the browser's `storage` events. */
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'> | null;
}

/** Grows with every change of what is stored; older entries are dropped. */
const version = 1;
const longest = 1_000_000;

export function openPersistedState(
  { storage: kind, options }: PublicConfig['persisted_state'],
  browser: BrowserParts,
): PersistedState {
  const { prefix, max_age_days } = options;
  const store = openStore(kind, browser, options);
  // What the store would not take, or all, where there is none.
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
        // A removal is meant for every tab; what was written is only there for those who share the store.
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
  /** Whether it was kept. */
  write(name: string, text: string, seconds: number): boolean;
  remove(name: string): void;
}

/** The configured store, or null where the browser refuses it. */
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
  if (text === null || text.length > longest) return undefined;
  return attempt(() => {
    const entry: unknown = JSON.parse(text, (key, value) => {
      if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw new Error(key);
      return value;
    });
    const { version: found, value } = entry as { version?: unknown; value?: unknown };
    return found === version ? value : undefined;
  });
}

/** Storage may throw at any touch: closed by the reader, full, or damaged. */
function attempt<T>(touch: () => T): T | undefined {
  try {
    return touch();
  } catch {
    return undefined;
  }
}
