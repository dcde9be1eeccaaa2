import { type CallDefinition, calls } from '@keyturn/contract';

/** The calls for which the server allows cookies from pages of other origins, too. The build compiles this module. */
export const cookieCalls = Object.entries<CallDefinition>(calls)
  .filter(([, { cookies }]) => cookies === 'allowed-origins')
  .map(([key]) => key);
