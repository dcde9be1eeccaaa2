import { openChoice, themeChoices } from '../api/preferences.ts';

/** The theme that was chosen in this browser, which public/before-paint.js applies before the first paint. */
export const themeChoice = openChoice('theme', themeChoices);

/** Applies each newly chosen theme. */
export function followTheme(html: HTMLElement): void {
  const apply = () => {
    const theme = themeChoice.get();
    if (theme === 'system') delete html.dataset.theme;
    else html.dataset.theme = theme;
  };
  apply();
  themeChoice.subscribe(apply);
}
