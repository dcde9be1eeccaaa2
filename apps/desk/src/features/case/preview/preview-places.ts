import type { Place, Places } from '@keyturn/dashboard/navigation/places.ts';

/**
 * The places of the preview: in memory, so that neither the desk’s address nor its history changes.
 * @param mayOpen says whether the preview can show a path; a path that it cannot show is not opened
 */
export function createPreviewPlaces(mayOpen: (pathname: string) => boolean): Places {
  let place = placeOf('/', 0);
  let onMove: (isNew: boolean) => void = () => undefined;
  return {
    current: () => place,
    open: (href, { replace = false } = {}) => {
      const next = placeOf(href, place.index + (replace ? 0 : 1));
      if (!mayOpen(next.pathname)) return;
      place = next;
      onMove(true);
    },
    subscribe: (listener) => {
      onMove = listener;
    },
    askBeforeLeaving: () => () => undefined,
  };
}

function placeOf(href: string, index: number): Place {
  const { pathname, search, hash } = new URL(href, 'http://preview.invalid');
  return { pathname, search, hash, href: pathname + search + hash, state: {}, index };
}
