import '@keyturn/dashboard/ui/base/base.css';
import '@keyturn/dashboard/ui/base/tokens.css';
import '@keyturn/dashboard/ui/base/fonts.css';

// A separate chunk, so that it does not become part of the code that every page of the desk loads first.
void import('./start-preview.tsx').then(({ startPreview }) => startPreview(window));
