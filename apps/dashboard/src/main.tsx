import './ui/base.css';
import './ui/tokens.css';
import './ui/fonts.css';
import { createServices } from './api/create-services.ts';
import { leaveReturnAddress } from './api/leave-return-address.ts';
import { followMaintenance } from './app/follow-maintenance.ts';
import { followSignIn } from './app/follow-sign-in.ts';
import { createAppRouter } from './app/router.tsx';
import { showDashboard } from './app/show-dashboard.tsx';
import { startDelivery } from './app/start-delivery.ts';

leaveReturnAddress(window);
const services = createServices(window);
const router = createAppRouter(services);
followSignIn(services.auth, router);
followMaintenance(services, router, document);
startDelivery(services, router);
document.title = `${services.config.product_name} Client Dashboard`;
void showDashboard(services, router, document);
