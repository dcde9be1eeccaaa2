import { type DocumentGroup, documentGroups, type MatterType } from '@keyturn/contract';

/** The name of a group of documents, as its folder is called. */
export const groupName = (group: DocumentGroup): string => names[group];

/** The groups in the order in which they are listed: what waits for a signature first. */
export const groupsInOrder: readonly DocumentGroup[] = [
  'to-sign',
  ...documentGroups.filter((group) => group !== 'to-sign'),
];

/**
 * What an empty group says: what comes into it and when, or that nothing does in a matter of this kind.
 */
export function whatWillAppear(group: DocumentGroup, matterType: MatterType): string {
  const words = comings[group];
  return typeof words === 'string' ? words : (words[matterType] ?? words.otherwise);
}

/** Whether a matter of this kind usually has documents in the group (docs/domain: 3.3). */
export const isUsual = (group: DocumentGroup, matterType: MatterType): boolean =>
  !unusual[matterType].includes(group);

const names: Record<DocumentGroup, string> = {
  'client-care': 'Our terms and costs',
  'identity-funds': 'Identity and funds',
  title: 'Title and plan',
  'property-forms': 'Property forms',
  certificates: 'Certificates and guarantees',
  contract: 'Contract and transfer',
  searches: 'Search results',
  enquiries: 'Questions and replies',
  mortgage: 'Mortgage',
  leasehold: 'Lease',
  survey: 'Survey and valuation',
  reports: 'Our reports to you',
  'to-sign': 'To sign',
  money: 'Bills and receipts',
  'after-completion': 'After completion',
};

const unusual: Record<MatterType, DocumentGroup[]> = {
  purchase: [],
  sale: ['searches', 'survey', 'reports'],
  remortgage: ['property-forms', 'certificates', 'enquiries'],
  'transfer-of-equity': ['property-forms', 'certificates', 'enquiries'],
};

type Comings = string | ({ [K in MatterType]?: string } & { otherwise: string });

const comings: Record<DocumentGroup, Comings> = {
  'client-care':
    'Our terms, the estimate of your costs and our privacy notice come here when your case is opened.',
  'identity-funds': {
    purchase:
      'The result of your identity check comes here in the first week or two, and what you have shown us about where your money comes from.',
    otherwise: 'The result of your identity check comes here in the first week or two.',
  },
  title: {
    purchase: 'The register and the plan of the home come here when the seller’s lawyer has sent them to us.',
    otherwise: 'The register and the plan of your home come here when we have them from HM Land Registry.',
  },
  'property-forms': {
    purchase:
      'What the seller says about the home, and the list of what they leave behind, come here with the draft contract.',
    sale: 'The forms about your home come here at the start, for you to read once they are filled in.',
    otherwise: 'A case of this kind needs no property forms. Nothing usually comes here.',
  },
  certificates: {
    purchase:
      'Guarantees, planning papers and safety certificates come here as the seller’s lawyer sends them.',
    sale: 'Guarantees, planning papers and safety certificates for your home come here as you give them to us.',
    otherwise: 'A case of this kind needs no certificates. Nothing usually comes here.',
  },
  contract: {
    purchase:
      'The draft contract comes here when the seller’s lawyer has sent it, usually in the first weeks.',
    sale: 'The draft contract comes here when we have prepared it, usually in the first weeks.',
    otherwise: 'The transfer deed comes here when we have prepared it.',
  },
  searches: {
    purchase: 'Each search result comes here on the day it is back with us. Councils can take several weeks.',
    sale: 'The buyer’s lawyer orders the searches for a sale. Nothing usually comes here.',
    otherwise:
      'A search result, or the insurance taken in its place, comes here when your lender asks for one.',
  },
  enquiries: {
    purchase: 'The questions that we ask the seller, and their replies, come here after the draft contract.',
    sale: 'The buyer’s questions, and the replies that we give, come here after the draft contract.',
    otherwise: 'A case of this kind has no questions from another side. Nothing usually comes here.',
  },
  mortgage: {
    purchase: 'Your mortgage offer and its deed come here when your lender has sent them to us.',
    sale: 'What is left to repay on your mortgage comes here when your lender has told us, before completion.',
    otherwise: 'The mortgage offer and its deed come here when your lender has sent them to us.',
  },
  leasehold: {
    purchase:
      'If the home is leasehold, its lease and the landlord’s answers come here. They often take weeks.',
    sale: 'If your home is leasehold, its lease and the landlord’s answers come here. They often take weeks.',
    otherwise: 'If your home is leasehold, its lease comes here when we have it from HM Land Registry.',
  },
  survey: {
    purchase: 'The valuation, and your survey if you share it with us, come here when they are done.',
    sale: 'A survey is the buyer’s own. Nothing usually comes here.',
    otherwise: 'The lender’s valuation comes here when it is done.',
  },
  reports: {
    purchase: 'Our report comes here before you sign: what we found out about the home, in plain English.',
    sale: 'A sale needs no report from us. Nothing usually comes here.',
    otherwise: 'Our report comes here before you sign.',
  },
  'to-sign':
    'When there is something to sign, it comes here, and stands first on your home page. There is nothing at the moment.',
  money:
    'Receipts, our bills and the statement for completion come here. The statement comes shortly before completion.',
  'after-completion': {
    purchase: 'The tax certificate and the new register in your name come here some weeks after completion.',
    sale: 'The proof that your mortgage is repaid comes here some weeks after completion.',
    otherwise: 'The new register comes here some weeks after completion.',
  },
};
