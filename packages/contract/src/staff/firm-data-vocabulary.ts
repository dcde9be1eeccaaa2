import type { MatterType } from '../vocabulary.ts';

/* What the desk uses of the firm’s data without its schemas. */

/**
 * Steps that Keyturn depends on, so that no path may lack them: they decide whom a case waits for, and when exchange and
 * completion are.
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
