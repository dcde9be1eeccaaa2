export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'keyturn.theme';

/** The reader's own choice; public/before-paint.js puts it on the page before the first paint. */
export function readTheme(): Theme {
  // There is no document where the build renders a page in advance.
  const theme = globalThis.document?.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows a theme at once and keeps it for the next visit, where the browser lets us. */
export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
}
