import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** The width inside of an element, in CSS pixels; 0 before it is known. */
export function useRoom(box: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      // The scroll bar's room is left free, so that its coming and going changes nothing.
      setRoom(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return room;
}

/** Keeps what is in the middle of a scrolled element there while its content grows or shrinks by a factor. */
export function useSteadyMiddle(box: RefObject<HTMLElement | null>, factor: number): void {
  const before = useRef({ factor, across: 0.5 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const keep = () => {
      before.current.across = (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth;
    };
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [box]);
  useLayoutEffect(() => {
    const element = box.current;
    const { factor: last, across } = before.current;
    before.current.factor = factor;
    if (!element || factor === last) return;
    const { scrollTop, scrollWidth, clientHeight, clientWidth } = element;
    if (scrollTop > 0) {
      element.scrollTop = ((scrollTop + clientHeight / 2) * factor) / last - clientHeight / 2;
    }
    element.scrollLeft = across * scrollWidth - clientWidth / 2;
  }, [box, factor]);
}

/** Two fingers on a screen, or a pinch on a trackpad: tells the factor of each move. */
export function usePinch(box: RefObject<HTMLElement | null>, onPinch: (factor: number) => void): void {
  const tell = useRef(onPinch);
  useLayoutEffect(() => {
    tell.current = onPinch;
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let distance: number | null = null;
    const onTouch = (event: TouchEvent) => {
      const [one, other] = event.touches;
      if (!one || !other) {
        distance = null;
        return;
      }
      event.preventDefault();
      const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (event.type === 'touchmove' && distance) tell.current(now / distance);
      distance = now;
    };
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      tell.current(Math.exp(-Math.max(-25, Math.min(25, event.deltaY)) / 100));
    };
    const touches = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const;
    for (const name of touches) element.addEventListener(name, onTouch, { passive: false });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      for (const name of touches) element.removeEventListener(name, onTouch);
      element.removeEventListener('wheel', onWheel);
    };
  }, [box]);
}
