/**
 * Formats pence as pounds: 18480 becomes "£184.80". Does not use `Intl`, because its first use blocks a phone for
 * tens of milliseconds.
 */
export function formatMoney(pence: number): string {
  const [pounds = '', rest] = (Math.abs(pence) / 100).toFixed(2).split('.');
  return `${pence < 0 ? '-' : ''}£${pounds.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${rest}`;
}

/** Formats a percentage without trailing zeros: 20 becomes "20%", 17.5 becomes "17.5%". */
export const formatRate = (percent: number): string => `${Number(percent.toFixed(2))}%`;
