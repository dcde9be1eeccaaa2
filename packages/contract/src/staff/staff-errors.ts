import { isThisBankAccount } from './bank-details.ts';

/**
 * The expected failures that only the staff API has, with HTTP status and default message. Separate from the catalogue
 * of the client API, so that they are not part of what clients download.
 */
export const staffErrorCatalogue = {
  /** Any call with texts: the answer is the header `X-Bank-Account: no`, or other texts. */
  possible_bank_account: { status: 422, message: isThisBankAccount },
  not_from_desk: {
    status: 403,
    message: 'This request did not come from the desk. Please reload the page and try again.',
  },
  role_not_permitted: { status: 403, message: 'Your role doesn’t include this.' },
  factor_required: {
    status: 403,
    message: 'Please add a passkey or an authenticator app first.',
  },
  staff_exists: {
    status: 409,
    message: 'There is already a staff member with this email address. If they are disabled, enable them.',
  },
  last_admin: {
    status: 409,
    message: 'This is the last active admin. Make another staff member an admin first.',
  },
  last_factor: {
    status: 409,
    message: 'This is your last passkey or authenticator app. Add another one before you remove it.',
  },
  item_changed: {
    status: 409,
    message:
      'Someone has dealt with this or changed it since you opened the page. The list is now up to date.',
  },
  too_many_views: { status: 409, message: 'You have 50 saved views. Delete one first.' },
  /** The message has the reason. */
  refund_not_possible: { status: 409, message: 'This refund isn’t possible.' },
  refund_above_limit: {
    status: 403,
    message: 'This is more than your role may refund. Please ask someone in finance.',
  },
  /** The message has the reason. */
  review_still_open: { status: 409, message: 'The review can’t be closed like this.' },
  /** The message has the reason. */
  link_not_possible: { status: 409, message: 'This payment request can’t be sent.' },
  /** The answer also has `conflict`: the last change, and the current record. */
  changed_meanwhile: {
    status: 409,
    message: 'This was changed meanwhile. Please check what it is now, and make your change again.',
  },
  /** The message has the reason. */
  edit_not_possible: { status: 409, message: 'This can’t be changed like that.' },
  /** The message lists what is missing. */
  firm_data_missing: { status: 409, message: 'The firm must enter more in Settings → Firm first.' },
  staff_state: { status: 409, message: 'This staff member’s state doesn’t allow this.' },
  /** The message says why a key or an endpoint can’t be changed. */
  integration_state: { status: 409, message: 'This isn’t possible at the moment.' },
  /** The message says what is wrong with the file. */
  spreadsheet_unreadable: {
    status: 422,
    message: 'We can’t read this file. Save the spreadsheet as CSV, and choose that file.',
  },
  /** The message says what to do first. */
  spreadsheet_state: { status: 409, message: 'This isn’t possible at the moment. Reload the page.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type StaffErrorCode = keyof typeof staffErrorCatalogue;
