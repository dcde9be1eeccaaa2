import { createStore, type Store } from '@keyturn/browser/store/create-store.ts';

/** A choice of the member, stored in this browser. */
export const shortcutChoices = ['on', 'off'] as const;

/**
 * Opens a choice that the browser stores. A stored value that is not one of the choices counts as none, and without
 * storage the choice lasts until the page is closed.
 *
 * @param choices the first one is the default
 */
export function openChoice<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage,
): Store<Choice> {
  const key = `keyturn-desk.${name}`;
  const stored = attempt(() => storage().getItem(key));
  const store = createStore(choices.find((choice) => choice === stored) ?? choices[0]);
  return {
    ...store,
    set: (choice) => {
      attempt(() => (choice === choices[0] ? storage().removeItem(key) : storage().setItem(key, choice)));
      store.set(choice);
    },
  };
}

/** Any access to storage can throw: it may be blocked or full. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
