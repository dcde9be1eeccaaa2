import { formatMoney } from './money.ts';

/** Whether a part of a bill would leave a rest that is too small to be paid online. Amounts in pence. */
export const leavesTooLittle = ({
  payable,
  amount,
  min,
}: {
  payable: number;
  amount: number;
  min: number;
}): boolean => amount < payable && payable - amount < min;

/** Says why a part of a bill is not possible, and what is. @param min pence */
export const tooLittleLeft = (min: number): string =>
  `Pay all that is left of this bill, or leave at least ${formatMoney(min)}: less can’t be paid online.`;
