import { formatShortDay, formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';

type Values = Record<string, string | number | boolean | null> | null;

/** Describes an action: `payment.refund_requested` becomes “Payment: refund requested”. */
export function describeAction(action: string): string {
  const [subject = '', event = ''] = action.split('.');
  const words = (text: string) => text.replaceAll('_', ' ');
  return `${words(subject).replace(/^./, (letter) => letter.toUpperCase())}: ${words(event)}`;
}

const moneyNames = /(^|[_.])(amount|price|net|vat|fee|paid_otherwise)$/;

/** Writes a value as screens do: money in pounds, instants and days, and yes or no. */
function describeValue(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return moneyNames.test(name) ? formatMoney(value) : String(value);
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value)) return formatShortMoment(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatShortDay(value);
  return /^[a-z]+(_[a-z]+)+$/.test(value) ? value.replaceAll('_', ' ') : value;
}

/** Writes the name of a field in words: `property.price` and `received_on` become “property price” and “received”. */
const describeName = (name: string): string => name.replaceAll(/[._]/g, ' ').replace(/ (on|at)$/, '');

/** Lists the changed values: “role handler → finance”, or only the new ones. */
export function describeValues(before: Values, after: Values): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const [from, to] = [before?.[name], after?.[name]];
      const label = describeName(name);
      const text = (value: string | number | boolean | null | undefined) =>
        value === undefined || value === null ? 'none' : describeValue(name, value);
      return from === undefined || from === null
        ? `${label} ${text(to)}`
        : `${label} ${text(from)} → ${text(to)}`;
    })
    .join(', ');
}
