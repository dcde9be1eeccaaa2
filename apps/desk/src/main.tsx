import '@keyturn/dashboard/ui/base/base.css';
import '@keyturn/dashboard/ui/base/tokens.css';
import '@keyturn/dashboard/ui/base/fonts.css';
import './ui/density.css';
import './ui/forms/file-fields.css';
import { startDesk } from './app/start-desk.tsx';

startDesk(window);
