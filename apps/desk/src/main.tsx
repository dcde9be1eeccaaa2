import '@keyturn/ui/base/base.css';
import '@keyturn/ui/base/tokens.css';
import '@keyturn/ui/base/fonts.css';
import './ui/density.css';
import './ui/forms/file-fields.css';
import { startDesk } from './app/start-desk.tsx';

startDesk(window);
