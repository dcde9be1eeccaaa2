const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Formats pence as pounds: 18480 becomes "£184.80". */
export const formatMoney = (pence: number): string => pounds.format(pence / 100);

/** Formats a percentage without trailing zeros: 20 becomes "20%", 17.5 becomes "17.5%". */
export const formatRate = (percent: number): string => `${Number(percent.toFixed(2))}%`;
