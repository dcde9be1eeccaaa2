import { value } from '../intents/value.ts';

export const hasNoLayer = value;
