/**
 * Keeps `--thumb-bar` of the document at the height of the bar at the bottom of a phone, which grows with the text. It is
 * zero while the bar is hidden.
 */
export function followBarHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--thumb-bar', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--thumb-bar');
  };
}
