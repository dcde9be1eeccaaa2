/**
 * The colours of tokens as the page shows them now, light or dark, as `rgb(…)`: for a frame that our styles do not
 * reach.
 */
export function readTokenColours<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(colours);
}

/** Calls back when the page turns light or dark. Returns the way out. */
export function onColoursChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  system.addEventListener('change', listener);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', listener);
  };
}
