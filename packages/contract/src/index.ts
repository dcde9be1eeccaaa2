export * from './calls.ts';
export * from './entities.ts';
export * from './errors.ts';
export * from './public-config.ts';
export * from './sandbox.ts';
export * from './sandbox-cards.ts';
export * from './vocabulary.ts';
