/** Returns the `tel:` address of a phone number: "0117 496 0101" → "tel:01174960101". */
export const telephoneHref = (phone: string): string => `tel:${phone.replaceAll(/[^\d+]/g, '')}`;
