import { type RefObject, useEffect, useEffectEvent } from 'react';

/** A point on the screen, in CSS pixels of the viewport. */
export interface ScreenPoint {
  clientX: number;
  clientY: number;
}

export interface GestureHandlers {
  /** Called for each movement of a pinch with its zoom factor and the point between the fingers. */
  onPinch(factor: number, point: ScreenPoint): void;
  onDoubleTap(point: ScreenPoint): void;
}

/** Handles pinching with two fingers or on a trackpad, and double taps. The browser itself handles scrolling. */
export function useGestures(ref: RefObject<HTMLElement | null>, handlers: GestureHandlers): void {
  const onPinch = useEffectEvent(handlers.onPinch);
  const onDoubleTap = useEffectEvent(handlers.onDoubleTap);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const pinch = pinchDetector(onPinch);
    const tap = doubleTapDetector(onDoubleTap);
    const onTouch = (event: TouchEvent) => {
      pinch(event);
      tap(event);
    };
    // Browsers report a pinch on a trackpad as a wheel event with the Ctrl key.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      onPinch(Math.exp(-Math.max(-25, Math.min(25, event.deltaY)) / 100), event);
    };
    for (const name of touchEvents) element.addEventListener(name, onTouch, { passive: false });
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      for (const name of touchEvents) element.removeEventListener(name, onTouch);
      element.removeEventListener('wheel', onWheel);
    };
  }, [ref]);
}

const touchEvents = ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const;

function pinchDetector(onPinch: GestureHandlers['onPinch']) {
  let previousDistance: number | null = null;
  return (event: TouchEvent) => {
    const [first, second] = event.touches;
    if (!first || !second) {
      previousDistance = null;
      return;
    }
    event.preventDefault();
    const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY);
    if (event.type === 'touchmove' && previousDistance) {
      onPinch(distance / previousDistance, {
        clientX: (first.clientX + second.clientX) / 2,
        clientY: (first.clientY + second.clientY) / 2,
      });
    }
    previousDistance = distance;
  };
}

/** Milliseconds between the two taps, and how far a finger may move, in CSS pixels. */
const maxInterval = 350;
const maxMovement = 12;
const maxDistance = 40;

function doubleTapDetector(onDoubleTap: GestureHandlers['onDoubleTap']) {
  let started: Touch | null = null;
  let lastTap: { at: number; touch: Touch } | null = null;
  const isNear = (a: Touch, b: Touch, distance: number) =>
    Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) <= distance;
  return (event: TouchEvent) => {
    const [touch] = event.changedTouches;
    if (!touch) return;
    if (event.type === 'touchstart') {
      started = event.touches.length === 1 ? touch : null;
      return;
    }
    if (event.type === 'touchmove' || event.type === 'touchcancel') {
      if (started && (event.type === 'touchcancel' || !isNear(started, touch, maxMovement))) started = null;
      return;
    }
    if (!started || event.touches.length > 0) {
      lastTap = null;
      return;
    }
    const isSecond =
      lastTap !== null &&
      event.timeStamp - lastTap.at <= maxInterval &&
      isNear(lastTap.touch, touch, maxDistance);
    lastTap = isSecond ? null : { at: event.timeStamp, touch };
    if (!isSecond) return;
    event.preventDefault();
    onDoubleTap(touch);
  };
}
