export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Shows the page in a theme. */
export function applyTheme({ dataset }: HTMLElement, theme: Theme): void {
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}
