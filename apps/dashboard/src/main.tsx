import './ui/base.css';
import './ui/tokens.css';
import './ui/fonts.css';
import { startDashboard } from './app/start-dashboard.ts';

startDashboard(window);
