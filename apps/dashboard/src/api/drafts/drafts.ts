import type { Check } from '../client/check.ts';
import { isText } from '../client/check.ts';
import type { Services } from '../services/services.ts';

/**
 * What is entered in forms and not sent. It is kept through one reload of the page, for the same client, in this tab
 * alone; nothing of a card and no drawn signature is ever in it.
 */
export interface Drafts {
  /** Whether there is any, in a form that is open or was left by the last step. */
  any(): boolean;
  /** Undefined: there is something, and it is not for keeping. */
  set(form: string, entered: unknown): void;
  /** Sent, or as it was. */
  clear(form: string): void;
  /** The form is closed; what it held counts until the next step. */
  leave(form: string): void;
  forgetLeft(): void;
  /** Before a reload. */
  keep(): void;
  /** What was kept before the reload, once. */
  take<T>(form: string, isEntered: Check<T>): T | null;
}

type From = Pick<Services, 'tab' | 'auth'>;

/** The one of a page; made where it is first needed. */
export function draftsOf(services: From): Drafts {
  const drafts = made.get(services.tab) ?? createDrafts(services);
  made.set(services.tab, drafts);
  return drafts;
}

const made = new WeakMap<From['tab'], Drafts>();

function createDrafts({ tab, auth }: From): Drafts {
  const open = new Map<string, unknown>();
  const left = new Map<string, unknown>();
  const owner = () => auth.get()?.client?.id ?? null;
  let kept = readKept(tab.read(name));
  tab.remove(name);
  auth.subscribe(() => {
    if (auth.get()) return;
    kept = null;
    tab.remove(name);
  });
  return {
    any: () => open.size + left.size > 0,
    set: (form, entered) => void open.set(form, entered),
    clear: (form) => {
      open.delete(form);
      left.delete(form);
    },
    leave: (form) => {
      if (open.has(form)) left.set(form, open.get(form));
      open.delete(form);
    },
    forgetLeft: () => left.clear(),
    keep: () => {
      const clientId = owner();
      const forms = Object.fromEntries([...left, ...open].filter(([, entered]) => entered !== undefined));
      if (clientId && Object.keys(forms).length > 0) tab.write(name, { clientId, forms } satisfies Kept);
    },
    take: (form, isEntered) => {
      const entered = kept && kept.clientId === owner() ? kept.forms[form] : undefined;
      if (kept) delete kept.forms[form];
      return isEntered(entered) ? entered : null;
    },
  };
}

const name = 'drafts';

interface Kept {
  clientId: string;
  forms: Record<string, unknown>;
}

function readKept(found: unknown): Kept | null {
  const { clientId, forms } = (found ?? {}) as Partial<Kept>;
  return isText(clientId) && typeof forms === 'object' && forms !== null ? { clientId, forms } : null;
}
