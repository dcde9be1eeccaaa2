/**
 * Creates the trusted URL of a script of this build, which `require-trusted-types-for 'script'` demands for workers. The
 * only policy allows files below `/assets/` on this origin, and Stripe.js.
 * @throws TypeError for any other URL
 */
export function ownScriptUrl(url: string): string {
  // The URL is checked in browsers without Trusted Types, too.
  return policy ? (policy.createScriptURL(url) as string) : checkedScriptUrl(url, location.origin);
}

/** The URL of the Stripe.js version that `@stripe/stripe-js` needs. */
export const stripeScript = 'https://js.stripe.com/endive/stripe.js';

/** The trusted URL of Stripe.js, for its script element. */
export const stripeScriptUrl = (): string =>
  policy ? (policy.createScriptURL(stripeScript) as string) : stripeScript;

/** @throws TypeError unless the URL is a script below `/assets/` on this origin, or exactly that of Stripe.js */
export function checkedScriptUrl(url: string, origin: string): string {
  if (url === stripeScript) return url;
  const { origin: itsOrigin, pathname, href } = new URL(url, origin);
  if (itsOrigin !== origin || !/^\/assets\/[^/]+\.m?js$/.test(pathname)) {
    throw new TypeError(`not a script of this build: ${href}`);
  }
  return href;
}

/** The part of the Trusted Types API that this file uses; TypeScript has no types for it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('keyturn', {
  createScriptURL: (url) => checkedScriptUrl(url, location.origin),
});
