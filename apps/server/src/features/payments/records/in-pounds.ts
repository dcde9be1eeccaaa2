/** `£5,000.00`: pence as people in Britain write them. */
export const inPounds = (pence: number): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(pence / 100);
