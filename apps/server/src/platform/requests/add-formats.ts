import { isEmailAddress } from '@keyturn/contract';
import type { Ajv } from 'ajv';
import formats from 'ajv-formats';

/**
 * Adds the formats of the contract: an email address that the mailer sends to, and days from 1900 to 2199, because a year
 * such as 0026 is a typing error.
 * @returns the same validator
 */
export function addFormats(ajv: Ajv): Ajv {
  formats.default(ajv);
  const isDay = formats.default.get('date', 'full') as { validate: (text: string) => boolean };
  ajv.addFormat('date', (text: string) => /^(?:19|20|21)/.test(text) && isDay.validate(text));
  return ajv.addFormat('email', isEmailAddress);
}
