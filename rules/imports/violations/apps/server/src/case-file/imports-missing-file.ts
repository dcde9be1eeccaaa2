import { nothing } from './does-not-exist.ts';
export const importsMissingFile = nothing;
