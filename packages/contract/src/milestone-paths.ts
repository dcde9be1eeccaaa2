import type { MatterType, MilestoneActor } from './vocabulary.ts';

/** A step of a matter’s standard path, with the text clients see unless the firm’s case feed overrides it. */
export interface PathMilestone {
  key: string;
  title: string;
  explanation: string;
  actor: MilestoneActor;
  /** The usual duration in working days, from and to. */
  usual: readonly [number, number] | null;
}

/** A station of the stage tracker. It groups milestones, which need not be consecutive. */
export interface PathStage {
  title: string;
  /** True for exchange and completion. */
  keyMoment?: boolean;
  keys: readonly string[];
}

export interface MilestonePath {
  stages: readonly PathStage[];
  milestones: readonly PathMilestone[];
}

const step = (
  key: string,
  actor: MilestoneActor,
  title: string,
  explanation: string,
  usual: readonly [number, number] | null = null,
): PathMilestone => ({ key, title, explanation, actor, usual });

/**
 * The standard milestones of each matter type, in order. Every title and explanation is true before, during and after its
 * step. The case feed can override the text of any step.
 */
export const milestonePaths: Record<MatterType, MilestonePath> = {
  purchase: {
    stages: [
      { title: 'Opening', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked', 'funds_checked'] },
      { title: 'Contract pack', keys: ['contract_pack_received', 'title_reviewed'] },
      { title: 'Searches', keys: ['searches_paid', 'searches_ordered', 'searches_received'] },
      {
        title: 'Questions',
        keys: ['enquiries_raised', 'enquiries_answered', 'mortgage_offer_received', 'report_sent'],
      },
      { title: 'Signing', keys: ['documents_signed', 'deposit_received'] },
      { title: 'Exchange', keyMoment: true, keys: ['exchanged'] },
      { title: 'Completion', keyMoment: true, keys: ['pre_completion', 'completed'] },
      { title: 'Registration', keys: ['tax_filed', 'registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Opening your case',
        'You’ve asked us to act for you. We send you our terms and an estimate of the costs.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity and address check',
        'The law requires us to check who you are before we start.',
        [1, 5],
      ),
      step(
        'funds_checked',
        'you',
        'Source of funds check',
        'The law requires us to check where your money comes from, including gifts.',
        [3, 10],
      ),
      step(
        'searches_paid',
        'you',
        'Paying for searches',
        'We order each search once you’ve paid for it.',
        [1, 5],
      ),
      step(
        'contract_pack_received',
        'other_side',
        'Contract pack',
        'The seller’s lawyer sends us the draft contract, the title and the seller’s forms.',
        [5, 15],
      ),
      step(
        'searches_ordered',
        'us',
        'Ordering searches',
        'We ask the council, the water company and others about the property.',
        [8, 12],
      ),
      step(
        'title_reviewed',
        'us',
        'Review of title and forms',
        'We check that the seller owns the home and which rules apply to it.',
        [3, 8],
      ),
      step(
        'enquiries_raised',
        'us',
        'Questions to the seller',
        'We ask the seller’s lawyer about anything that’s unclear.',
        [1, 5],
      ),
      step(
        'mortgage_offer_received',
        'third_party',
        'Mortgage offer',
        'Your lender sends us its formal offer.',
        [15, 25],
      ),
      step(
        'searches_received',
        'third_party',
        'Search results',
        'The results arrive one by one, and we check each of them.',
        [8, 15],
      ),
      step(
        'enquiries_answered',
        'other_side',
        'Replies to our questions',
        'The seller’s lawyer answers our questions until we’re satisfied.',
        [10, 30],
      ),
      step(
        'report_sent',
        'us',
        'Our report to you',
        'You read our report on the home, and can ask us anything about it.',
        [3, 7],
      ),
      step(
        'documents_signed',
        'you',
        'Signing',
        'You sign the contract, the transfer and any mortgage deed. Some deeds need a witness. You’re only committed when contracts are exchanged.',
        [2, 7],
      ),
      step(
        'deposit_received',
        'you',
        'Deposit',
        'You pay the deposit by bank transfer, usually 10% of the price. It has to clear before exchange.',
        [1, 5],
      ),
      step(
        'exchanged',
        'us',
        'Exchange of contracts',
        'From this day you’re legally bound and the moving date is fixed. Insure the home from then.',
        [1, 5],
      ),
      step(
        'pre_completion',
        'us',
        'Final checks and money',
        'We do the final searches, ask your lender for the money and send you a completion statement.',
        [3, 10],
      ),
      step(
        'completed',
        'other_side',
        'Completion',
        'The money reaches the seller and you collect your keys.',
        [1, 1],
      ),
      step(
        'tax_filed',
        'us',
        'Property tax return',
        'We file the return and pay your Stamp Duty Land Tax, or Land Transaction Tax in Wales.',
        [1, 10],
      ),
      step(
        'registration_applied',
        'third_party',
        'Application to HM Land Registry',
        'Your ownership is protected while HM Land Registry processes our application.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registration in your name',
        'HM Land Registry registers you as the owner. We send you the updated title and close your case.',
        [20, 120],
      ),
    ],
  },
  sale: {
    stages: [
      { title: 'Opening', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked'] },
      {
        title: 'Your forms',
        keys: ['property_forms', 'title_obtained', 'leasehold_pack_ordered', 'redemption_figure'],
      },
      { title: 'Contract pack', keys: ['contract_pack_sent'] },
      { title: 'Questions', keys: ['buyer_enquiries', 'enquiries_answered'] },
      { title: 'Signing', keys: ['documents_signed', 'completion_date_agreed'] },
      { title: 'Exchange', keyMoment: true, keys: ['exchanged'] },
      { title: 'Completion', keyMoment: true, keys: ['completion_statement', 'completed'] },
      { title: 'Closing', keys: ['mortgage_repaid_proceeds_paid', 'closed'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Opening your case',
        'You’ve asked us to act for you. We send you our terms and an estimate of the costs.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity check',
        'We check who you are and that you own the home.',
        [1, 5],
      ),
      step(
        'property_forms',
        'you',
        'Your property forms',
        'You tell the buyer about the home and send us the certificates you have.',
        [3, 10],
      ),
      step(
        'title_obtained',
        'us',
        'Official title and plan',
        'We download your official title and plan.',
        [1, 2],
      ),
      step(
        'leasehold_pack_ordered',
        'third_party',
        'Leasehold pack',
        'If your home is leasehold, we pay your landlord or their agent to answer the standard questions.',
        [10, 20],
      ),
      step(
        'redemption_figure',
        'third_party',
        'Mortgage redemption figure',
        'Your lender tells us how much you still owe.',
        [3, 10],
      ),
      step(
        'contract_pack_sent',
        'us',
        'Contract pack',
        'We send the draft contract, the title and your forms to the buyer’s lawyer.',
        [1, 5],
      ),
      step(
        'buyer_enquiries',
        'you',
        'Buyer’s questions',
        'The buyer’s lawyer asks questions. We may need your help with some of them.',
        [5, 15],
      ),
      step(
        'enquiries_answered',
        'other_side',
        'Replies to the buyer’s questions',
        'The buyer’s lawyer goes through our replies, and may ask more, until they’re satisfied.',
        [10, 30],
      ),
      step(
        'documents_signed',
        'you',
        'Signing',
        'You sign the contract and the transfer. You’re only committed when contracts are exchanged.',
        [2, 7],
      ),
      step(
        'completion_date_agreed',
        'other_side',
        'Moving date',
        'Everyone in the chain agrees on a moving date.',
        [3, 10],
      ),
      step(
        'exchanged',
        'us',
        'Exchange of contracts',
        'From this day you’re legally bound to sell and the moving date is fixed.',
        [1, 5],
      ),
      step(
        'completion_statement',
        'us',
        'Completion statement',
        'We show you the money coming in, the money going out and what you receive.',
        [2, 5],
      ),
      step(
        'completed',
        'other_side',
        'Completion',
        'The buyer’s money reaches us and the agent hands over the keys.',
        [1, 1],
      ),
      step(
        'mortgage_repaid_proceeds_paid',
        'us',
        'Mortgage repayment and sale proceeds',
        'We pay your lender, the agent and our bill, and send the rest to the account we’ve checked with you.',
        [1, 2],
      ),
      step(
        'closed',
        'us',
        'Closing your case',
        'Your lender’s charge is removed from the title and we store your file.',
        [10, 30],
      ),
    ],
  },
  remortgage: {
    stages: [
      { title: 'Opening', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked'] },
      { title: 'Title', keys: ['title_obtained', 'redemption_statement'] },
      { title: 'Offer', keys: ['mortgage_offer_received', 'searches_or_insurance'] },
      { title: 'Signing', keys: ['deed_signed'] },
      { title: 'Final checks', keys: ['final_searches', 'funds_requested'] },
      { title: 'Completion', keyMoment: true, keys: ['completed'] },
      { title: 'Registration', keys: ['registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Opening your case',
        'You’ve asked us to act for you on your new mortgage.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity check',
        'The law requires us to check who you are before we start.',
        [1, 5],
      ),
      step('title_obtained', 'us', 'Title check', 'We check the official title to your home.', [1, 3]),
      step(
        'redemption_statement',
        'third_party',
        'Mortgage redemption figure',
        'Your current lender tells us what it costs to repay the old loan.',
        [3, 10],
      ),
      step(
        'mortgage_offer_received',
        'third_party',
        'New mortgage offer',
        'Your new lender sends us its formal offer.',
        [10, 20],
      ),
      step(
        'searches_or_insurance',
        'us',
        'Search or insurance',
        'We get a search, or an insurance policy instead of one, as your new lender requires.',
        [1, 5],
      ),
      step(
        'deed_signed',
        'you',
        'Signing the mortgage deed',
        'You sign the new mortgage deed in front of a witness.',
        [2, 7],
      ),
      step(
        'final_searches',
        'us',
        'Final searches',
        'We do priority and bankruptcy checks just before the money moves.',
        [1, 2],
      ),
      step(
        'funds_requested',
        'third_party',
        'Request for the new loan',
        'We ask your new lender for the money, and they send it to us.',
        [3, 7],
      ),
      step('completed', 'us', 'Completion', 'The old loan is repaid, and any balance comes to you.', [1, 1]),
      step(
        'registration_applied',
        'third_party',
        'Application to HM Land Registry',
        'HM Land Registry processes our application to register your new mortgage.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registration',
        'HM Land Registry adds your new lender to the title, and we close your case.',
        [20, 60],
      ),
    ],
  },
  'transfer-of-equity': {
    stages: [
      { title: 'Opening', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked', 'separate_advice'] },
      { title: 'Title', keys: ['title_obtained'] },
      { title: 'Consent', keys: ['lender_consent'] },
      { title: 'Transfer', keys: ['transfer_drafted', 'searches'] },
      { title: 'Signing', keys: ['signed_by_all'] },
      { title: 'Completion', keyMoment: true, keys: ['completed', 'tax_return'] },
      { title: 'Registration', keys: ['registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Opening your case',
        'You tell us who joins or leaves the title, and about any money paid for it.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity check',
        'We check the identity of everyone involved.',
        [1, 5],
      ),
      step(
        'separate_advice',
        'third_party',
        'Separate legal advice',
        'Some people need their own lawyer for this.',
        [5, 15],
      ),
      step('title_obtained', 'us', 'Title check', 'We check the title and who is on it.', [1, 3]),
      step(
        'lender_consent',
        'third_party',
        'Lender’s consent',
        'Your lender agrees to the change or makes a new offer.',
        [10, 25],
      ),
      step('transfer_drafted', 'us', 'Transfer deed', 'We write the deed and send it to everyone.', [2, 7]),
      step('searches', 'us', 'Final searches', 'We do priority and bankruptcy checks.', [1, 2]),
      step('signed_by_all', 'you', 'Signing', 'Everyone signs in front of a witness.', [3, 10]),
      step('completed', 'us', 'Completion', 'The transfer is dated and any money is paid over.', [1, 1]),
      step(
        'tax_return',
        'us',
        'Property tax return',
        'If a return is due, we file it and pay the tax.',
        [1, 10],
      ),
      step(
        'registration_applied',
        'third_party',
        'Application to HM Land Registry',
        'HM Land Registry processes our application to register the change.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registration',
        'HM Land Registry enters the new owners on the title, and we close your case.',
        [20, 60],
      ),
    ],
  },
};
