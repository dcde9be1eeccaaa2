import { startStripeSimulator } from '@keyturn/testkit/stripe-simulator/start-stripe-simulator.ts';
import { createRunningClock } from '@keyturn/testkit/test-clock.ts';

/** Runs the Stripe simulator in a separate process, so that it does not slow down what is measured. */
const simulator = await startStripeSimulator(createRunningClock());
process.on('disconnect', () => process.exit(0));
// Events are not delivered and calls are not inspected here.
setInterval(() => {
  simulator.webhooks.waiting.splice(0);
  simulator.calls.splice(0);
}, 500);
process.send?.({ url: simulator.url });
