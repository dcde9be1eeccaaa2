/** Returns the current time. Passed as an argument so that tests can use their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
