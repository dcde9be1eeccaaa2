/**
 * Notes when the client does something on the page. The returned function tells whether that happened since it was
 * last asked: a poll behind a page in use prolongs the session, a poll behind a page left open does not.
 */
export function watchActivity(events: Pick<EventTarget, 'addEventListener'>): () => boolean {
  let acted = false;
  for (const type of ['pointerdown', 'keydown']) {
    events.addEventListener(
      type,
      () => {
        acted = true;
      },
      { capture: true, passive: true },
    );
  }
  return () => {
    const was = acted;
    acted = false;
    return was;
  };
}
