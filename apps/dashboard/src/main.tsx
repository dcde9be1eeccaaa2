import './ui/base/base.css';
import './ui/base/tokens.css';
import './ui/base/fonts.css';
import { startDashboard } from './app/startup/start-dashboard.ts';

startDashboard(window);
