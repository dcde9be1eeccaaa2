import { followTranslations } from '@keyturn/browser/translation/follow-translations.ts';
import { createRoot } from 'react-dom/client';
import { readConfig } from '../api/config.ts';
import { followOtherTabs, resumeSession } from '../api/desk-api.ts';
import { setTitleSuffix } from '../ui/base/page-title.ts';
import { followKeys } from '../ui/keys/shortcuts.ts';
import { Desk } from './desk.tsx';
import { followTheme } from './theme.ts';

/** Starts the desk: reads the session, then renders the page of the address. */
export function startDesk({ document }: Window): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no element #root');
  setTitleSuffix(`${readConfig(document).product_name} Desk`);
  followTheme(document.documentElement);
  followTranslations(document.body);
  followKeys(document);
  followOtherTabs();
  resumeSession();
  createRoot(root).render(<Desk />);
}
