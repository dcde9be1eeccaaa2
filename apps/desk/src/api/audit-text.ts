type Values = Record<string, string | number | boolean | null> | null;

/** Describes an action: `payment.refund_requested` becomes “Payment: refund requested”. */
export function describeAction(action: string): string {
  const [subject = '', event = ''] = action.split('.');
  const words = (text: string) => text.replaceAll('_', ' ');
  return `${words(subject).replace(/^./, (letter) => letter.toUpperCase())}: ${words(event)}`;
}

/** Lists the changed values: “role handler → finance”, or only the new ones. */
export function describeValues(before: Values, after: Values): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => {
      const [from, to] = [before?.[name], after?.[name]];
      const label = name.replaceAll('_', ' ');
      return from === undefined || from === null ? `${label} ${to}` : `${label} ${from} → ${to ?? 'none'}`;
    })
    .join(', ');
}
