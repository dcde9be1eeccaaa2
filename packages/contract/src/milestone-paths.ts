import type { MatterType, MilestoneActor } from './vocabulary.ts';

/** A step of a matter's standard path, with the words that a client reads unless the firm gives its own. */
export interface PathMilestone {
  key: string;
  title: string;
  explanation: string;
  actor: MilestoneActor;
  /** Working days that it usually takes, from and to. */
  usual: readonly [number, number] | null;
}

/** A station of the stage tracker: a name for some milestones, which need not follow each other. */
export interface PathStage {
  title: string;
  /** Exchange and completion. */
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

/** The standard paths, in order. The words are true before a step, in it and after it. The feed may say other words for any step of a matter. */
export const milestonePaths: Record<MatterType, MilestonePath> = {
  purchase: {
    stages: [
      { title: 'Opened', keys: ['instructed'] },
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
      { title: 'Registered', keys: ['tax_filed', 'registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Case opened',
        'You have asked us to act for you. We send you our terms and what it will cost.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity and address checked',
        'The law makes us check who you are before we start.',
        [1, 5],
      ),
      step(
        'funds_checked',
        'you',
        'Source of funds checked',
        'We must see where your money comes from, and gifts too.',
        [3, 10],
      ),
      step(
        'searches_paid',
        'you',
        'Searches paid for',
        'We order each search on the working day that you pay for it.',
        [1, 5],
      ),
      step(
        'contract_pack_received',
        'other_side',
        'Contract pack received',
        "The seller's lawyer sends us the draft contract, the title and the seller's forms.",
        [5, 15],
      ),
      step(
        'searches_ordered',
        'us',
        'Searches ordered',
        'We ask the council, the water company and others about the property.',
        [8, 12],
      ),
      step(
        'title_reviewed',
        'us',
        'Title and forms read',
        'We check that the seller owns the home, and what rules bind it.',
        [3, 8],
      ),
      step(
        'enquiries_raised',
        'us',
        'Questions sent',
        "We ask the seller's lawyer about anything that is not clear.",
        [1, 5],
      ),
      step(
        'mortgage_offer_received',
        'third_party',
        'Mortgage offer received',
        'Your lender sends us its formal offer.',
        [15, 25],
      ),
      step(
        'searches_received',
        'third_party',
        'Search results in',
        'The answers come back one by one, and we read them.',
        [8, 15],
      ),
      step(
        'enquiries_answered',
        'other_side',
        'Questions answered',
        "The seller's lawyer answers, until we are satisfied.",
        [10, 30],
      ),
      step(
        'report_sent',
        'us',
        'Report sent to you',
        'Read our report on the home, and ask us anything.',
        [3, 7],
      ),
      step(
        'documents_signed',
        'you',
        'Contract, transfer and mortgage deed signed',
        'You sign; some deeds need a witness. You are not bound yet.',
        [2, 7],
      ),
      step(
        'deposit_received',
        'you',
        'Deposit received',
        'Usually 10% of the price, by bank transfer, and cleared.',
        [1, 5],
      ),
      step(
        'exchanged',
        'us',
        'Contracts exchanged',
        'From this day on you are legally bound, and the moving date is fixed. Insure the home from then.',
        [1, 5],
      ),
      step(
        'pre_completion',
        'us',
        'Final checks and money',
        "We make the last searches, call for your lender's money and send you the final statement.",
        [3, 10],
      ),
      step(
        'completed',
        'other_side',
        'Completed',
        'The money reaches the seller, and you collect your keys.',
        [1, 1],
      ),
      step(
        'tax_filed',
        'us',
        'Property tax return filed and paid',
        'We file and pay your Stamp Duty Land Tax, or Land Transaction Tax in Wales.',
        [1, 10],
      ),
      step(
        'registration_applied',
        'third_party',
        'Sent to HM Land Registry',
        'Your ownership is protected while they register it.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registered in your name',
        'We send you the new title, and your case closes.',
        [20, 120],
      ),
    ],
  },
  sale: {
    stages: [
      { title: 'Opened', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked'] },
      {
        title: 'Your forms',
        keys: ['property_forms', 'title_obtained', 'leasehold_pack_ordered', 'redemption_figure'],
      },
      { title: 'Contract sent', keys: ['contract_pack_sent'] },
      { title: 'Questions', keys: ['buyer_enquiries', 'enquiries_answered'] },
      { title: 'Signing', keys: ['documents_signed', 'completion_date_agreed'] },
      { title: 'Exchange', keyMoment: true, keys: ['exchanged'] },
      { title: 'Completion', keyMoment: true, keys: ['completion_statement', 'completed'] },
      { title: 'Closed', keys: ['mortgage_repaid_proceeds_paid', 'closed'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Case opened',
        'You have asked us to act for you. We send you our terms and what it will cost.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity checked',
        'We check who you are and that you own the home.',
        [1, 5],
      ),
      step(
        'property_forms',
        'you',
        'Your property forms',
        'Tell the buyer about the home, and send us the certificates that you have.',
        [3, 10],
      ),
      step('title_obtained', 'us', 'Title obtained', 'We download your official title and plan.', [1, 2]),
      step(
        'leasehold_pack_ordered',
        'third_party',
        'Leasehold pack ordered',
        'For a leasehold home we pay your landlord or their agent to answer the standard questions.',
        [10, 20],
      ),
      step(
        'redemption_figure',
        'third_party',
        'Mortgage figure obtained',
        'We ask your lender what you still owe.',
        [3, 10],
      ),
      step(
        'contract_pack_sent',
        'us',
        'Contract pack sent',
        "The draft contract, the title and your forms go to the buyer's lawyer.",
        [1, 5],
      ),
      step(
        'buyer_enquiries',
        'you',
        "Buyer's questions",
        "The buyer's lawyer asks questions. We need your help with some of them.",
        [5, 15],
      ),
      step(
        'enquiries_answered',
        'other_side',
        'Questions answered',
        "We answer, until the buyer's lawyer is satisfied.",
        [10, 30],
      ),
      step(
        'documents_signed',
        'you',
        'Contract and transfer signed',
        'You sign the contract and the transfer. You are not bound yet.',
        [2, 7],
      ),
      step(
        'completion_date_agreed',
        'other_side',
        'Moving date agreed',
        'Everyone in the chain agrees on a moving date.',
        [3, 10],
      ),
      step(
        'exchanged',
        'us',
        'Contracts exchanged',
        'From this day on you are legally bound to sell, and the moving date is fixed.',
        [1, 5],
      ),
      step(
        'completion_statement',
        'us',
        'Completion statement',
        'We show you the money in, the money out and what you receive.',
        [2, 5],
      ),
      step(
        'completed',
        'other_side',
        'Completed',
        "The buyer's money reaches us, and the agent hands over the keys.",
        [1, 1],
      ),
      step(
        'mortgage_repaid_proceeds_paid',
        'us',
        'Mortgage repaid and proceeds paid',
        'Your lender, the agent and our bill are paid; the rest goes to your checked account.',
        [1, 2],
      ),
      step(
        'closed',
        'us',
        'Case closed',
        "Your lender's charge is removed from the title, and your file is stored.",
        [10, 30],
      ),
    ],
  },
  remortgage: {
    stages: [
      { title: 'Opened', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked'] },
      { title: 'Title', keys: ['title_obtained', 'redemption_statement'] },
      { title: 'Offer', keys: ['mortgage_offer_received', 'searches_or_insurance'] },
      { title: 'Signing', keys: ['deed_signed'] },
      { title: 'Final checks', keys: ['final_searches', 'funds_requested'] },
      { title: 'Completion', keyMoment: true, keys: ['completed'] },
      { title: 'Registered', keys: ['registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Case opened',
        'You have asked us to act for you on your new mortgage.',
        [1, 3],
      ),
      step(
        'identity_checked',
        'you',
        'Identity checked',
        'The law makes us check who you are before we start.',
        [1, 5],
      ),
      step('title_obtained', 'us', 'Title checked', 'We check the official title to your home.', [1, 3]),
      step(
        'redemption_statement',
        'third_party',
        'Old loan figure',
        'Your present lender says what it costs to repay the old loan.',
        [3, 10],
      ),
      step(
        'mortgage_offer_received',
        'third_party',
        'New offer received',
        'Your new lender sends us its formal offer.',
        [10, 20],
      ),
      step(
        'searches_or_insurance',
        'us',
        'Search or insurance',
        'A search, or an insurance policy instead of one, as your lender asks.',
        [1, 5],
      ),
      step(
        'deed_signed',
        'you',
        'Mortgage deed signed',
        'You sign the new mortgage deed in front of a witness.',
        [2, 7],
      ),
      step(
        'final_searches',
        'us',
        'Final searches',
        'Priority and bankruptcy checks just before the money moves.',
        [1, 2],
      ),
      step('funds_requested', 'third_party', 'Money requested', 'We call for the new loan.', [3, 7]),
      step('completed', 'us', 'Completed', 'The old loan is repaid, and any balance comes to you.', [1, 1]),
      step(
        'registration_applied',
        'third_party',
        'Sent to HM Land Registry',
        'Your new mortgage is being registered.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registered',
        'The new lender is on your title, and your case closes.',
        [20, 60],
      ),
    ],
  },
  'transfer-of-equity': {
    stages: [
      { title: 'Opened', keys: ['instructed'] },
      { title: 'Identity', keys: ['identity_checked', 'separate_advice'] },
      { title: 'Title', keys: ['title_obtained'] },
      { title: 'Consent', keys: ['lender_consent'] },
      { title: 'Transfer', keys: ['transfer_drafted', 'searches'] },
      { title: 'Signing', keys: ['signed_by_all'] },
      { title: 'Completion', keyMoment: true, keys: ['completed', 'tax_return'] },
      { title: 'Registered', keys: ['registration_applied', 'registered'] },
    ],
    milestones: [
      step(
        'instructed',
        'us',
        'Case opened',
        'You tell us who joins or leaves the title, and of any money paid for it.',
        [1, 3],
      ),
      step('identity_checked', 'you', 'Identity checked', 'We check who everyone involved is.', [1, 5]),
      step(
        'separate_advice',
        'third_party',
        'Separate advice',
        'Some people need a lawyer of their own for this.',
        [5, 15],
      ),
      step('title_obtained', 'us', 'Title checked', 'We check the title and who is on it.', [1, 3]),
      step(
        'lender_consent',
        'third_party',
        'Lender agrees',
        'Your lender agrees to the change, or makes a new offer.',
        [10, 25],
      ),
      step('transfer_drafted', 'us', 'Transfer drafted', 'The deed is written and sent to everyone.', [2, 7]),
      step('searches', 'us', 'Checks made', 'Priority and bankruptcy checks.', [1, 2]),
      step('signed_by_all', 'you', 'Signed by all', 'Everyone signs in front of a witness.', [3, 10]),
      step('completed', 'us', 'Completed', 'The transfer is dated, and any money is paid over.', [1, 1]),
      step(
        'tax_return',
        'us',
        'Property tax return',
        'We file a return and pay the tax, if any is due.',
        [1, 10],
      ),
      step(
        'registration_applied',
        'third_party',
        'Sent to HM Land Registry',
        'The change is being registered.',
        [1, 20],
      ),
      step(
        'registered',
        'third_party',
        'Registered',
        'The new owners are on the title, and your case closes.',
        [20, 60],
      ),
    ],
  },
};
