import { createStore, useStore } from '@keyturn/browser/store/create-store.ts';

const onlineSince = createStore(0);
let isListening = false;

const followConnection = {
  get: onlineSince.get,
  subscribe: (listener: () => void) => {
    // Never removed: connection losses count even while no component is subscribed.
    if (!isListening) {
      window.addEventListener('offline', onChange);
      window.addEventListener('online', onChange);
      isListening = true;
    }
    return onlineSince.subscribe(listener);
  },
};

/**
 * Returns when the browser last came back online. Data fetched before then may be out of date.
 * @returns milliseconds since the epoch; 0 if it has been online since the page was opened; infinity while it is offline
 */
export const useOnlineSince = (): number => useStore(followConnection);

const onChange = ({ type }: Event) =>
  onlineSince.set(type === 'offline' ? Number.POSITIVE_INFINITY : Date.now());
