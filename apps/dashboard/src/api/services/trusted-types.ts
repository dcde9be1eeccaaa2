/**
 * The address of a script of this build, as a worker is started with under `require-trusted-types-for 'script'`. The
 * policy is the only one there is: it lets nothing pass but files of this origin below `/assets/`, and Stripe.js.
 * @throws TypeError for any other address
 */
export function ownScriptUrl(url: string): string {
  // A browser without Trusted Types takes the address as it is; it is checked all the same.
  return policy ? (policy.createScriptURL(url) as string) : checkedScriptUrl(url, location.origin);
}

/** Where Stripe.js is, of the version that `@stripe/stripe-js` is made for. */
export const stripeScript = 'https://js.stripe.com/endive/stripe.js';

/** The address of Stripe.js, as its element is given it. */
export const stripeScriptUrl = (): string =>
  policy ? (policy.createScriptURL(stripeScript) as string) : stripeScript;

/** @throws TypeError unless the address is a file of this origin below `/assets/`, or that of Stripe.js to the letter */
export function checkedScriptUrl(url: string, origin: string): string {
  if (url === stripeScript) return url;
  const { origin: itsOrigin, pathname, href } = new URL(url, origin);
  if (itsOrigin !== origin || !/^\/assets\/[^/]+\.m?js$/.test(pathname)) {
    throw new TypeError(`not a script of this build: ${href}`);
  }
  return href;
}

/** What this file needs of the Trusted Types API; TypeScript does not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('keyturn', {
  createScriptURL: (url) => checkedScriptUrl(url, location.origin),
});
