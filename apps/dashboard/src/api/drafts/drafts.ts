import type { Check } from '@keyturn/browser/checks/check.ts';
import { isString } from '@keyturn/browser/checks/check.ts';
import type { Services } from '../services/services.ts';

/**
 * What the client has entered in forms but not sent. It survives one reload of the page, and the end of the session until
 * the same client signs in again, in this tab only. Card details and drawn signatures are never part of it.
 */
export interface Drafts {
  /** Whether there is a draft in an open form, or in one that the last navigation closed. */
  hasAny(): boolean;
  /** @param entered undefined for a draft that must not be stored */
  set(form: string, entered: unknown): void;
  /** The form was sent, or its entries were undone. */
  clear(form: string): void;
  /** The form was closed. Its draft counts until the next navigation. */
  close(form: string): void;
  forgetClosed(): void;
  /** Stores the drafts for a reload. */
  saveForReload(): void;
  /** Returns the draft from before the reload, or from before the session ended, once. */
  restore<T>(form: string, isEntered: Check<T>): T | null;
}

type DraftServices = Pick<Services, 'tab' | 'auth'>;

/** The drafts of a page, created on first use. */
export function draftsFor(services: DraftServices): Drafts {
  const drafts = draftsByTab.get(services.tab) ?? createDrafts(services);
  draftsByTab.set(services.tab, drafts);
  return drafts;
}

const draftsByTab = new WeakMap<DraftServices['tab'], Drafts>();

function createDrafts({ tab, auth }: DraftServices): Drafts {
  const open = new Map<string, unknown>();
  const left = new Map<string, unknown>();
  const owner = () => auth.get()?.client?.id ?? null;
  const typed = () => Object.fromEntries([...left, ...open].filter(([, entered]) => entered !== undefined));
  let kept = readKept(tab.read(name));
  tab.remove(name);
  auth.subscribe(() => {
    if (auth.get()) {
      if (kept && owner() !== null && kept.clientId !== owner()) kept = null;
      return;
    }
    // In memory only, because another person may use this browser next.
    const clientId = auth.interruptedClient()?.id;
    kept = clientId ? { clientId, forms: typed() } : null;
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
      const forms = typed();
      if (clientId && Object.keys(forms).length > 0) tab.write(name, { clientId, forms } satisfies Kept);
    },
    restore: (form, isEntered) => {
      if (kept?.clientId !== owner()) return null;
      const entered = kept?.forms[form];
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
