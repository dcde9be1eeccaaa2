import type { Check } from '../checks/check.ts';
import { isString } from '../checks/check.ts';
import type { Services } from '../services/services.ts';

/**
 * What is entered in forms and not sent. It is kept through one reload of the page, for the same client, in this tab
 * alone; nothing of a card and no drawn signature is ever in it.
 */
export interface Drafts {
  /** Whether there is any, in a form that is open or was left by the last step. */
  hasAny(): boolean;
  /** Undefined: there is something, and it is not for keeping. */
  set(form: string, entered: unknown): void;
  /** Sent, or as it was. */
  clear(form: string): void;
  /** The form is closed; what it held counts until the next step. */
  close(form: string): void;
  forgetClosed(): void;
  /** Before a reload. */
  saveForReload(): void;
  /** What was kept before the reload, once. */
  restore<T>(form: string, isEntered: Check<T>): T | null;
}

type From = Pick<Services, 'tab' | 'auth'>;

/** The one of a page; made where it is first needed. */
export function draftsFor(services: From): Drafts {
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
    hasAny: () => open.size + left.size > 0,
    set: (form, entered) => void open.set(form, entered),
    clear: (form) => {
      open.delete(form);
      left.delete(form);
    },
    close: (form) => {
      if (open.has(form)) left.set(form, open.get(form));
      open.delete(form);
    },
    forgetClosed: () => left.clear(),
    saveForReload: () => {
      const clientId = owner();
      const forms = Object.fromEntries([...left, ...open].filter(([, entered]) => entered !== undefined));
      if (clientId && Object.keys(forms).length > 0) tab.write(name, { clientId, forms } satisfies Kept);
    },
    restore: (form, isEntered) => {
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
  return isString(clientId) && typeof forms === 'object' && forms !== null ? { clientId, forms } : null;
}
