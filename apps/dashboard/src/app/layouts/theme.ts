import { applyTheme, type Theme } from '@keyturn/ui/base/theme.ts';

const key = 'keyturn.theme';

/** Reads the client's choice of theme, which public/before-paint.js applies before the first paint. */
export function readTheme(): Theme {
  // There is no document while the build prerenders a page.
  const theme = globalThis.document?.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies a theme and stores it for the next visit, if the browser allows that. */
export function setTheme(theme: Theme): void {
  applyTheme(document.documentElement, theme);
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
