/**
 * Takes what a bank's page adds to the address of the payment screen (the intent, its secret, and a word of how it
 * went) off the address and out of the history, before anything reads them. How it went is asked of the server.
 */
export function removeReturnParameters({ location, history }: Pick<Window, 'location' | 'history'>): void {
  const { pathname, search, hash } = location;
  if (!search.includes('payment_intent')) return;
  const kept = new URLSearchParams(search);
  for (const name of [...kept.keys()]) {
    if (/^(payment_intent|redirect_status|source_redirect_slug)/.test(name)) kept.delete(name);
  }
  const rest = kept.size > 0 ? `?${kept}` : '';
  history.replaceState(history.state, '', `${pathname}${rest}${hash}`);
}
