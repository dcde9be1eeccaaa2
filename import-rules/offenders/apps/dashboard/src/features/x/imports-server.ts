import { fact } from '../../../../server/src/features/a/fact.ts';
export const importsServer = fact;
