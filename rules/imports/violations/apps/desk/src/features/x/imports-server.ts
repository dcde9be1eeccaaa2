import { value } from '../../../../server/src/case-file/value.ts';
export const importsServer = value;
