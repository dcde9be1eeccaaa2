import type { MatterType } from '../vocabulary.ts';

/* The vocabulary of the firm’s data, without the schemas, which browsers do not download. */

/**
 * Steps that every path must have, because they determine whom a case waits for, and the days of exchange and
 * completion.
 */
export const requiredSteps: Readonly<Record<MatterType, readonly string[]>> = {
  purchase: [
    'instructed',
    'searches_paid',
    'searches_ordered',
    'searches_received',
    'report_sent',
    'documents_signed',
    'exchanged',
    'completed',
  ],
  sale: ['instructed', 'documents_signed', 'exchanged', 'completed'],
  remortgage: ['instructed', 'searches_or_insurance', 'deed_signed', 'completed'],
  'transfer-of-equity': ['instructed', 'signed_by_all', 'completed'],
};

/** The steps that can have usual weeks after the instruction. */
export const stepsWithUsualWeeks: readonly string[] = ['exchanged', 'completed'];
