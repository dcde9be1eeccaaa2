import '@keyturn/ui/base/base.css';
import '@keyturn/ui/base/tokens.css';
import '@keyturn/ui/base/fonts.css';
import { startDashboard } from './app/startup/start-dashboard.ts';

startDashboard(window);
