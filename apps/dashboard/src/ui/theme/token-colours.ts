/** Returns the current colours of design tokens as `rgb(…)`, for embedded frames that our styles do not reach. */
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

/** Calls the listener when the colour scheme of the page changes. @returns a function that stops listening */
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
