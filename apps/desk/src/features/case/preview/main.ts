import '@keyturn/dashboard/ui/base/base.css';
import '@keyturn/dashboard/ui/base/tokens.css';
import '@keyturn/dashboard/ui/base/fonts.css';

// A separate chunk, so that nothing of it becomes part of what every page of the desk loads first.
void import('./start-preview.tsx').then(({ startPreview }) => startPreview(window));
