import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { createRunningClock } from '@keyturn/testkit/test-clock.ts';

/** Stripe as the simulator plays it, in a process of its own: what is measured beside it is not slowed by it. */
const simulator = await startStripeSimulator(createRunningClock());
process.on('disconnect', () => process.exit(0));
// Nobody delivers them, and nobody reads the calls.
setInterval(() => {
  simulator.webhooks.waiting.splice(0);
  simulator.calls.splice(0);
}, 500);
process.send?.({ url: simulator.url });
