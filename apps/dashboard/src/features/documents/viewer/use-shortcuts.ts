import { type RefObject, useEffect, useEffectEvent } from 'react';

interface ShortcutHandlers {
  onFind(): void;
  onZoom(direction: 1 | -1): void;
  onFit(): void;
}

/** Keyboard shortcuts that work wherever in the viewer the focus is. */
export function useShortcuts(viewer: RefObject<HTMLElement | null>, handlers: ShortcutHandlers): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') {
      event.preventDefault();
      handlers.onFind();
    } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === '+' || event.key === '=') handlers.onZoom(1);
      if (event.key === '-') handlers.onZoom(-1);
      if (event.key === '0') handlers.onFit();
    }
  });
  useEffect(() => {
    const element = viewer.current;
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, [viewer]);
}
