/** Keeps the token of a link out of what the client copies, and out of the restored tab. */
export function removeTokenFromAddress(): void {
  window.history.replaceState(window.history.state, '', window.location.pathname);
}
