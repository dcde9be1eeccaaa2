import { CaseSearch, ConveyancingCase } from '@keyturn/contract';
import { checkOf } from './check-of.ts';

/* The checks of what the browser stores about a case. The build compiles this module. */

export const isConveyancingCase = checkOf(ConveyancingCase);

export const isCaseSearch = checkOf(CaseSearch);
