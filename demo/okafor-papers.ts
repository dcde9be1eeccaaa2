import { okaforPurchasePapers } from './okafor-purchase-papers.ts';
import { okaforSalePapers } from './okafor-sale-papers.ts';

export const okaforPapers = [...okaforPurchasePapers, ...okaforSalePapers];
