import { type RefObject, useLayoutEffect, useState } from 'react';

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
