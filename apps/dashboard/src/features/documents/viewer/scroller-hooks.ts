import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Measures the content width of an element in CSS pixels; 0 until it is known. */
export function useContentWidth(ref: RefObject<HTMLElement | null>): number {
  const [contentWidth, setContentWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      // The style sheet reserves room for the scroll bar, so that its appearance changes nothing here.
      setContentWidth(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return contentWidth;
}

/** Keeps the centre of a scrolled element in place while its content is scaled by `scale`. */
export function useStableCentre(ref: RefObject<HTMLElement | null>, scale: number): void {
  const previous = useRef({ scale, centre: 0.5 });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const rememberCentre = () => {
      previous.current.centre = (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth;
    };
    element.addEventListener('scroll', rememberCentre, { passive: true });
    return () => element.removeEventListener('scroll', rememberCentre);
  }, [ref]);
  useLayoutEffect(() => {
    const element = ref.current;
    const { scale: previousScale, centre } = previous.current;
    previous.current.scale = scale;
    if (!element || scale === previousScale) return;
    const { scrollTop, scrollWidth, clientHeight, clientWidth } = element;
    if (scrollTop > 0) {
      element.scrollTop = ((scrollTop + clientHeight / 2) * scale) / previousScale - clientHeight / 2;
    }
    element.scrollLeft = centre * scrollWidth - clientWidth / 2;
  }, [ref, scale]);
}

/** Handles pinching with two fingers or on a trackpad. `onPinch` receives the zoom factor of each movement. */
export function usePinch(ref: RefObject<HTMLElement | null>, onPinch: (factor: number) => void): void {
  const latestOnPinch = useRef(onPinch);
  useLayoutEffect(() => {
    latestOnPinch.current = onPinch;
  });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let previousDistance: number | null = null;
    const onTouch = (event: TouchEvent) => {
      const [first, second] = event.touches;
      if (!first || !second) {
        previousDistance = null;
        return;
      }
      event.preventDefault();
      const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
      if (event.type === 'touchmove' && previousDistance) latestOnPinch.current(distance / previousDistance);
      previousDistance = distance;
    };
    // Browsers report a pinch on a trackpad as a wheel event with the Ctrl key.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      latestOnPinch.current(Math.exp(-Math.max(-25, Math.min(25, event.deltaY)) / 100));
    };
    const touchEvents = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const;
    for (const name of touchEvents) element.addEventListener(name, onTouch, { passive: false });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      for (const name of touchEvents) element.removeEventListener(name, onTouch);
      element.removeEventListener('wheel', onWheel);
    };
  }, [ref]);
}
