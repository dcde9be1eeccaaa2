import type { FirmBrand } from '@keyturn/contract/staff';

/** The dashboard’s green, which a firm without a colour has. */
export const defaultColour = '#14483c';

export type EnteredBrand = FirmBrand;

export const enteredBrand = (brand: FirmBrand): EnteredBrand => brand;

/** The value as the call sends it: the logo by its id. */
export const toBrandBody = ({ colour, logo, logo_has_name }: EnteredBrand) => ({
  colour,
  logo: logo?.id ?? null,
  logo_has_name,
});
