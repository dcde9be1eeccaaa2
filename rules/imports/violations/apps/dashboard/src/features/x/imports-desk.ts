import { page } from '../../../../desk/src/features/x/page.ts';
export const importsDesk = page;
