import { value } from '../intents/value.ts';

export const importsLaterLayer = value;
