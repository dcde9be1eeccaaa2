import { value } from '../../../../server/src/features/a/value.ts';
export const importsServer = value;
