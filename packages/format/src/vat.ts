/** Computes VAT in pence, rounded half up. @param net pence @param rate percent */
export const vatOf = (net: number, rate: number): number =>
  // Basis points keep the calculation in integers; half a penny rounds up.
  Math.floor((net * Math.round(rate * 100) + 5_000) / 10_000);
