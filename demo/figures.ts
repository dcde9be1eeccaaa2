import { formatMoney } from '@keyturn/format/money';

/*
 * The money of the demonstration’s cases, in pence, except the bills that no paper is about. Quotations, estimates, statements,
 * contracts, searches and bills take it from here, so that they agree.
 */

export const vatRate = 20;

interface Price {
  net: number;
  vat: number;
  gross: number;
}

const withVat = (net: number): Price => {
  const vat = (net * vatRate) / 100;
  return { net, vat, gross: net + vat };
};

/** A line of a table: what it is, and pence. */
export type Line = readonly [name: string, pence: number];

export const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, [, pence]) => sum + pence, 0);

/** Returns the rows of a table, with its total at the end if that has a name. */
export const rowsOf = (lines: readonly Line[], totalName?: string): string[][] =>
  [...lines, ...(totalName ? [[totalName, sumOf(lines)] as const] : [])].map(([name, pence]) => [
    name,
    formatMoney(pence),
  ]);

const fees = {
  sale: withVat(115_000),
  purchase: withVat(115_000),
  leasehold: withVat(25_000),
  remortgage: withVat(62_000),
  bankTransfer: withVat(3_000),
  /** For each person. */
  identityCheck: withVat(1_200),
  officialCopies: withVat(1_400),
};

const feeLines = (name: string, { net, vat }: Price): Line[] => [
  [name, net],
  [`VAT on this fee at ${vatRate}%`, vat],
];
const officialCopies: Line = [
  'Official copies of your title and plan, including VAT',
  fees.officialCopies.gross,
];
const bankTransfer: Line = ['Bank transfer fee, including VAT', fees.bankTransfer.gross];
const identityCheck: Line = ['Identity check, including VAT', fees.identityCheck.gross];
/** The lines of a bill for the firm's own work. */
const billOf = (...lines: readonly (readonly [description: string, price: Price])[]) => ({
  lines: lines.map(([description, { net }]) => ({
    description,
    net,
    vat_code: 'standard' as const,
    money: 'office' as const,
  })),
});

/** What clients pay for searches before we order them, as our terms estimate it. */
export const searchEstimate = { from: 25_000, to: 45_000 };

/** The net prices of the searches for The Old Chapel. */
export const chapelSearches = {
  localAuthority: 23_000,
  drainage: 4_600,
  environmental: 3_500,
  chancel: 2_000,
};
/** The insurance policy against chancel repairs, if Amelia and Tom want it. */
export const chancelPolicy = 2_400;

/** Amelia and Tom's sale. The redemption figure and the commission are estimates until completion. */
export const alderRowSale = {
  price: 38_500_000,
  deposit: 3_850_000,
  redemption: 18_630_000,
  commission: withVat(500_500).gross,
  costs: [...feeLines('Our fee for your sale', fees.sale), officialCopies, bankTransfer],
};

/** Amelia and Tom's purchase. */
export const chapelPurchase = {
  price: 52_000_000,
  deposit: 5_200_000,
  loan: 31_200_000,
  savings: 3_500_000,
  stampDuty: 1_600_000,
  costs: [
    ...feeLines('Our fee for your purchase', fees.purchase),
    bankTransfer,
    ['Identity checks for two people, including VAT', 2 * fees.identityCheck.gross],
    ['HM Land Registry, to register you as owners (estimate)', 29_500],
  ] satisfies Line[],
};

/** What is left of Amelia and Tom's sale for their purchase. */
export const saleProceeds =
  alderRowSale.price - alderRowSale.redemption - alderRowSale.commission - sumOf(alderRowSale.costs);

/** What Amelia and Tom's purchase costs besides the price and the tax. */
export const purchaseCosts =
  sumOf(chapelPurchase.costs) +
  Object.values(chapelSearches).reduce((sum, net) => sum + withVat(net).gross, 0);

/** What all money for the purchase leaves over, as long as the estimates hold. */
export const moneyLeftOver =
  saleProceeds +
  chapelPurchase.loan +
  chapelPurchase.savings -
  chapelPurchase.price -
  chapelPurchase.stampDuty -
  purchaseCosts;

/** What each of them puts in besides the mortgage, which they pay in halves. */
export const contributions = {
  amelia: saleProceeds / 2 + chapelPurchase.savings,
  tom: saleProceeds / 2,
};
const ameliaShare = ((100 * contributions.amelia) / (contributions.amelia + contributions.tom)).toFixed(1);
export const shares = { amelia: `${ameliaShare}%`, tom: `${(100 - Number(ameliaShare)).toFixed(1)}%` };

/** What Amelia and Tom need for the deposit besides the one that they get for their sale. */
export const depositGap = chapelPurchase.deposit - alderRowSale.deposit;

/** Where the deposit comes from, as all papers and tasks say it. */
export const depositSources = `The deposit for The Old Chapel is ${formatMoney(chapelPurchase.deposit)}. Your buyers’ deposit of ${formatMoney(alderRowSale.deposit)} is used for it, and the other ${formatMoney(depositGap)} comes from Amelia’s savings.`;

/** Priya's purchase. */
export const wharfPurchase = {
  price: 28_750_000,
  costs: [
    ...feeLines('Our fee', fees.purchase),
    ...feeLines('Extra work because the flat is leasehold', fees.leasehold),
    bankTransfer,
    identityCheck,
    ['HM Land Registry, to register you as the owner (estimate)', 15_000],
    ['Notices to the landlord and managing agent (estimate)', 15_000],
  ] satisfies Line[],
};

/** George's completed sale. */
export const harbourViewSale = {
  price: 41_250_000,
  deposit: 4_125_000,
  redemption: 9_620_411,
  commission: withVat(495_000).gross,
  costs: [...feeLines('Our fee', fees.sale), officialCopies, bankTransfer, identityCheck],
  bill: billOf(
    ['Our fee for your sale', fees.sale],
    ['Official copies of your title and plan', fees.officialCopies],
    ['Bank transfer fee', fees.bankTransfer],
    ['Identity check', fees.identityCheck],
  ),
};
export const harbourViewBalance =
  harbourViewSale.price -
  harbourViewSale.redemption -
  harbourViewSale.commission -
  sumOf(harbourViewSale.costs);

const interimFee = withVat(12_500);

/** George's remortgage, with one fee in two bills. */
export const orchardCloseRemortgage = {
  costs: [
    ...feeLines('Our fee', fees.remortgage),
    ['HM Land Registry, to register the new mortgage (estimate)', 3_000],
  ] satisfies Line[],
  interimFee: interimFee.net,
  interimBill: billOf(['Checking your title and your current mortgage', interimFee]),
  finalBill: billOf(['The rest of our fee', withVat(fees.remortgage.net - interimFee.net)]),
};

/** Imogen's purchase. */
export const halePurchase = {
  bill: {
    lines: [
      ...billOf(['Checking the contract pack', withVat(20_000)]).lines,
      {
        description: 'HM Land Registry, to register you as the owner',
        net: 15_000,
        vat_code: 'outside_scope' as const,
        money: 'client' as const,
      },
    ],
  },
};
