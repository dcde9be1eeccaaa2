import { compose } from '../../composition/compose.ts';
export const importsComposition = compose;
