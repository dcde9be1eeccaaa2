/**
 * Takes over the prerendered form: submits it now if the client already tried to. Until then, `public/before-paint.js`
 * holds back submissions, because the dashboard has not loaded yet.
 */
export function takeOverForm(form: HTMLFormElement | null): void {
  if (!form) return;
  form.dataset.taken = '';
  if (form.dataset.pressed === undefined) return;
  delete form.dataset.pressed;
  form.ariaBusy = null;
  form.requestSubmit();
}
