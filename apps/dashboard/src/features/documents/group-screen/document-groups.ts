import { type DocumentGroup, documentGroups, type MatterType } from '@keyturn/contract';

/** The name of a document group, shown to clients as a folder. */
export const groupName = (group: DocumentGroup): string => names[group];

/** All document groups in display order, with documents to sign first. */
export const groupsInOrder: readonly DocumentGroup[] = [
  'to-sign',
  ...documentGroups.filter((group) => group !== 'to-sign'),
];

/** Explains what will appear in an empty group and when, or that it usually stays empty for this type of matter. */
export function emptyGroupText(group: DocumentGroup, matterType: MatterType): string {
  const text = emptyGroupTexts[group];
  return typeof text === 'string' ? text : (text[matterType] ?? text.otherwise);
}

/** Whether a matter of this type usually has documents in the group. */
export const isUsualGroup = (group: DocumentGroup, matterType: MatterType): boolean =>
  !unusualGroups[matterType].includes(group);

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

const unusualGroups: Record<MatterType, DocumentGroup[]> = {
  purchase: [],
  sale: ['searches', 'survey', 'reports'],
  remortgage: ['property-forms', 'certificates', 'enquiries'],
  'transfer-of-equity': ['property-forms', 'certificates', 'enquiries'],
};

type EmptyGroupText = string | ({ [K in MatterType]?: string } & { otherwise: string });

const emptyGroupTexts: Record<DocumentGroup, EmptyGroupText> = {
  'client-care':
    'Our terms, the estimate of your costs and our privacy notice appear here when we open your case.',
  'identity-funds': {
    purchase:
      'The result of your identity check appears here in the first week or two, with the evidence you give us of where your money comes from.',
    otherwise: 'The result of your identity check appears here in the first week or two.',
  },
  title: {
    purchase: 'The title register and plan appear here once the seller’s lawyer sends them to us.',
    otherwise: 'The title register and plan of your home appear here once HM Land Registry sends them to us.',
  },
  'property-forms': {
    purchase:
      'The seller’s answers about the home, and the list of what they’re leaving behind, appear here with the draft contract.',
    sale: 'The forms about your home appear here early on. You can read them once they’re filled in.',
    otherwise: 'This type of case doesn’t need property forms. This folder usually stays empty.',
  },
  certificates: {
    purchase:
      'Guarantees, planning documents and safety certificates appear here as the seller’s lawyer sends them.',
    sale: 'Guarantees, planning documents and safety certificates for your home appear here as you send them to us.',
    otherwise: 'This type of case doesn’t need certificates. This folder usually stays empty.',
  },
  contract: {
    purchase:
      'The draft contract appears here once the seller’s lawyer sends it, usually in the first few weeks.',
    sale: 'The draft contract appears here once we’ve prepared it, usually in the first few weeks.',
    otherwise: 'If your case needs a transfer deed, it appears here once we’ve prepared it.',
  },
  searches: {
    purchase: 'Each search result appears here the day we receive it. Councils can take several weeks.',
    sale: 'The buyer’s lawyer orders the searches for a sale. This folder usually stays empty.',
    otherwise:
      'If your lender asks for a search, the result or the insurance policy that replaces it appears here.',
  },
  enquiries: {
    purchase: 'The questions we ask the seller, and their replies, appear here after the draft contract.',
    sale: 'The buyer’s questions, and the replies we give, appear here after the draft contract.',
    otherwise:
      'This type of case doesn’t involve questions from another side. This folder usually stays empty.',
  },
  mortgage: {
    purchase: 'Your mortgage offer and mortgage deed appear here once your lender sends them to us.',
    sale: 'Your mortgage redemption figure, which is what you still have to repay, appears here before completion, once your lender sends it to us.',
    otherwise: 'The mortgage offer and mortgage deed appear here once your lender sends them to us.',
  },
  leasehold: {
    purchase:
      'If the home is leasehold, the lease and the landlord’s answers appear here. They often take weeks.',
    sale: 'If your home is leasehold, the lease and the landlord’s answers appear here. They often take weeks.',
    otherwise: 'If your home is leasehold, the lease appears here once HM Land Registry sends it to us.',
  },
  survey: {
    purchase: 'The valuation, and your survey if you share it with us, appear here when they’re done.',
    sale: 'The buyer arranges their own survey. This folder usually stays empty.',
    otherwise: 'The lender’s valuation appears here when it’s done.',
  },
  reports: {
    purchase: 'Our report appears here before you sign: what we found out about the home, in plain English.',
    sale: 'You don’t need a report from us when you sell. This folder usually stays empty.',
    otherwise: 'Our report appears here before you sign.',
  },
  'to-sign':
    'You have nothing to sign at the moment. When we need your signature, the document appears here and at the top of your home page.',
  money:
    'Receipts, our bills and your completion statement appear here. The statement comes shortly before completion.',
  'after-completion': {
    purchase:
      'The tax certificate and the new register in your name appear here some weeks after completion.',
    sale: 'Proof that your mortgage has been repaid appears here some weeks after completion.',
    otherwise: 'The new register appears here some weeks after completion.',
  },
};
