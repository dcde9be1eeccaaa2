import type { PublicConfig } from '@keyturn/contract';

/** Titles the page: "Milestones – Keyturn Client Dashboard". */
export function setPageTitle(title: string, { product_name }: PublicConfig): void {
  document.title = `${title} – ${product_name} Client Dashboard`;
}
