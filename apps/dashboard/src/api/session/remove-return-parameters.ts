/**
 * Removes what a bank's page adds to the URL of the payment screen (the intent, its secret and the outcome) from the
 * address bar and the history, before anything reads it. The server knows the outcome.
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
