import type { PublicConfig } from '@keyturn/contract';
import { type BrowserParts, openPersistedState, type PersistedState } from '../session/persisted-state.ts';
import { readPublicConfig } from './public-config.ts';

/* A browser's storage for tests: several tabs of one browser share what tabs share. */

class SampleStorage implements Storage {
  readonly entries = new Map<string, string>();
  /** Set to refuse every touch, as a browser does that was told to. */
  closed = false;
  /** Longest value that is taken. */
  room = Number.POSITIVE_INFINITY;

  get length() {
    return this.entries.size;
  }
  key(index: number) {
    return [...this.entries.keys()][index] ?? null;
  }
  getItem(key: string) {
    this.touch();
    return this.entries.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    this.touch();
    if (value.length > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.entries.set(key, value);
  }
  removeItem(key: string) {
    this.touch();
    this.entries.delete(key);
  }
  clear() {
    this.entries.clear();
  }
  private touch() {
    if (this.closed) throw new DOMException('closed', 'SecurityError');
  }
}

/** Cookies as a document shows them: all in one text, each set by itself; 4 KB each at most. */
class SampleCookies {
  private readonly jar = new Map<string, string>();

  get cookie() {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  set cookie(text: string) {
    const [pair = '', ...attributes] = text.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (pair.length > 4096) return;
    if (attributes.includes('Max-Age=0')) this.jar.delete(name);
    else this.jar.set(name, value);
  }
}

interface SampleBrowser {
  local: SampleStorage;
  document: SampleCookies;
  /** A tab with its own session storage, hearing the others. */
  openTab(): BrowserParts;
}

export function sampleBrowser(): SampleBrowser {
  const local = new SampleStorage();
  const document = new SampleCookies();
  const channels = new Set<EventTarget>();
  return {
    local,
    document,
    openTab: () => {
      const session = new SampleStorage();
      const own = new EventTarget();
      channels.add(own);
      return {
        localStorage: () => local,
        sessionStorage: () => session,
        document,
        isSecure: true,
        events: new EventTarget(),
        channel: {
          addEventListener: own.addEventListener.bind(own),
          removeEventListener: own.removeEventListener.bind(own),
          postMessage: (data: unknown) => {
            for (const other of channels) {
              if (other !== own) other.dispatchEvent(Object.assign(new Event('message'), { data }));
            }
          },
        },
      };
    },
  };
}

/** State kept as the default configuration has it, in a storage of that kind. */
export function openSampleState(
  storage: PublicConfig['persisted_state']['storage'],
  tab: BrowserParts,
  options: Partial<PublicConfig['persisted_state']['options']> = {},
): PersistedState {
  const usual = readPublicConfig(null).persisted_state.options;
  return openPersistedState({ storage, options: { ...usual, ...options } }, tab);
}
