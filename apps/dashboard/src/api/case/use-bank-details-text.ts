import { bankDetailsText } from '@keyturn/format/bank-details-advice';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useServices } from '../services/services.ts';

/** Returns what the firm says about new bank details. */
export const useBankDetailsText = (): string =>
  bankDetailsText(useServices().config.regulation?.bank_details_adopted_on ?? null, useToday());
