/** The time, as an argument: tests hand out their own. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
