/* The words with which a client asks for a search to be ordered. */

/** The versions of `orderWordings`. They are a separate list, so that code which only checks a version does not need the texts. */
export const orderWordingVersions = ['2026-12-before-end', '2026-12-no-period', '2026-12-unknown'] as const;
export type OrderWordingVersion = (typeof orderWordingVersions)[number];

/**
 * Every request to order that clients have been shown, by version, with `{day}` for the end of the cancellation period. Each
 * payment records the words, so a released wording is never changed: add a new version instead.
 */
export const orderWordings: Record<OrderWordingVersion, string> = {
  '2026-12-before-end':
    'Please order before my cancellation period ends on {day}. If I cancel after that, I pay for what you have ordered.',
  '2026-12-no-period': 'Order this search for me.',
  '2026-12-unknown':
    'Please order this search now, even if my cancellation period is still running. This does not affect any right I have to cancel your services.',
};

/**
 * Writes what a client confirms: the request to order, then the refund rule of the search.
 * @param request.day the end of the cancellation period, as people read it; null without one
 */
export const orderRequestWords = ({
  version,
  day,
  refundRule,
}: {
  version: OrderWordingVersion;
  day: string | null;
  refundRule: string;
}): string => `${orderWordings[version].replace('{day}', day ?? '')} ${refundRule}`;
