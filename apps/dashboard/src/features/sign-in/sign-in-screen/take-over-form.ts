/**
 * From now on the form is the dashboard's. What public/before-paint.js has kept from being sent, because nobody was there
 * to take it, is sent now.
 */
export function takeOverForm(form: HTMLFormElement | null): void {
  if (!form) return;
  form.dataset.taken = '';
  if (form.dataset.pressed === undefined) return;
  delete form.dataset.pressed;
  form.ariaBusy = null;
  form.requestSubmit();
}
