const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** Pence as people write them: 18480 → "£184.80". */
export const formatMoney = (pence: number): string => pounds.format(pence / 100);

/** A rate in percent without idle zeros: 20 → "20%", 17.5 → "17.5%". */
export const formatRate = (percent: number): string => `${Number(percent.toFixed(2))}%`;
