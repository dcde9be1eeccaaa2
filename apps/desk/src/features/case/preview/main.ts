import '@keyturn/ui/base/base.css';
import '@keyturn/ui/base/tokens.css';
import '@keyturn/ui/base/fonts.css';

// A separate chunk, so that it does not become part of the code that every page of the desk loads first.
void import('./start-preview.tsx').then(({ startPreview }) => startPreview(window));
