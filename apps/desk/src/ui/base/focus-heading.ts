/** Moves the focus to the heading of the page, for what had the focus and is gone. */
export const focusHeading = (): void => document.querySelector<HTMLElement>('main h1[tabindex]')?.focus();

/** Whether nothing has the focus: the browser moves it to the body when the element that had it is removed. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;
