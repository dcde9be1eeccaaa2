/** Moves the focus to the heading of the page when the focused element has been removed. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('main h1[tabindex]')?.focus();

/** Whether no element has the focus: the browser moves it to the body when the focused element is removed. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;
