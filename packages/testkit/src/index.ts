export * from './test-clock.ts';
export * from './test-database.ts';
