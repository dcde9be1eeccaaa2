export * from './builders.ts';
export * from './count-statements.ts';
export * from './payment-world.ts';
export * from './stored-documents.ts';
export * from './stripe-simulator/start-stripe-simulator.ts';
export * from './test-clock.ts';
export * from './test-database.ts';
export * from './test-server.ts';
