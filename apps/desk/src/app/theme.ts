import { applyTheme, themes } from '@keyturn/ui/base/theme.ts';
import { openChoice } from '../api/preferences.ts';

/** The theme that was chosen in this browser, which public/before-paint.js applies before the first paint. */
export const themeChoice = openChoice('theme', themes);

/** Applies each newly chosen theme. */
export function followTheme(html: HTMLElement): void {
  const apply = () => applyTheme(html, themeChoice.get());
  apply();
  themeChoice.subscribe(apply);
}
