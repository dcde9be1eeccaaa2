import { checkOf } from '@keyturn/browser/checks/check-of.ts';
import { CaseSearch, ConveyancingCase } from '@keyturn/contract';

/* The checks of what the browser stores about a case. The build compiles this module. */

export const isConveyancingCase = checkOf(ConveyancingCase);

export const isCaseSearch = checkOf(CaseSearch);
