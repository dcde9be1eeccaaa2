import {
  isArrayOf,
  isInteger,
  isNullOr,
  isObjectOf,
  isOneOf,
  isString,
} from '@keyturn/browser/checks/check.ts';
import { type PromiseChoice, promiseChoices } from './promise-choices.ts';

/** An update that was written but not sent. */
export interface UpdateDraft {
  /** The id of the update, so that it is stored once even if it is sent repeatedly. */
  id: string;
  text: string;
  choice: PromiseChoice;
  /** For the choice `day`. */
  day: string;
  /** The steps that the promise is for; null for the usual ones. */
  stepIds: string[] | null;
}

interface StoredDraft {
  memberId: string;
  caseId: string;
  draft: UpdateDraft;
  /** Milliseconds since the epoch. */
  savedAt: number;
}

const key = 'keyturn-desk.update-drafts';
const maxDrafts = 20;
const maxText = 10_000;
const maxAge = 8 * 3_600_000;

const isStoredDraft = isObjectOf<StoredDraft>({
  memberId: isString,
  caseId: isString,
  draft: isObjectOf<UpdateDraft>({
    id: isString,
    text: isString,
    choice: isOneOf(promiseChoices),
    day: isString,
    stepIds: isNullOr(isArrayOf(isString)),
  }),
  savedAt: isInteger,
});

type TabStorage = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Keeps drafts of updates in this tab, one for each case, so that they survive a reload. Another member who signs in
 * on the same tab never sees them, and they expire with the longest possible session.
 */
export function createUpdateDrafts(
  memberId: string,
  { storage = () => sessionStorage, now = Date.now }: { storage?: TabStorage; now?: () => number } = {},
) {
  const readOwn = (): StoredDraft[] => {
    try {
      const found: unknown = JSON.parse(storage().getItem(key) ?? '[]');
      if (!Array.isArray(found)) return [];
      return found
        .filter(isStoredDraft)
        .filter((stored) => stored.memberId === memberId && now() - stored.savedAt < maxAge);
    } catch {
      return [];
    }
  };
  const write = (drafts: StoredDraft[]) => {
    try {
      if (drafts.length === 0) storage().removeItem(key);
      else storage().setItem(key, JSON.stringify(drafts));
    } catch {
      // Without storage, a draft lasts only as long as its form.
    }
  };
  const others = (caseId: string) => readOwn().filter((stored) => stored.caseId !== caseId);
  return {
    /** @returns null if the case has no draft */
    read: (caseId: string): UpdateDraft | null =>
      readOwn().find((stored) => stored.caseId === caseId)?.draft ?? null,
    /** Stores the draft, and deletes the oldest if there are too many. */
    save: (caseId: string, draft: UpdateDraft): void => {
      if (draft.text.length > maxText) return;
      write([{ memberId, caseId, draft, savedAt: now() }, ...others(caseId)].slice(0, maxDrafts));
    },
    remove: (caseId: string): void => write(others(caseId)),
  };
}
