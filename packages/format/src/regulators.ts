/* Texts that depend on the firm’s regulator. */

interface RegulatorTexts {
  name: string;
  /** As a firm and its clients call it. */
  shortName: string;
  /** What the regulator calls the number of a firm. */
  numberName: string;
  /** The sentence that the regulator’s rules ask for, word for word. */
  statement(number: string): string;
  /** Where clients can check that the firm is regulated. */
  register: Link;
  /** The rules that apply to the firm. */
  rules: Link;
  /** Where clients can report how the firm has behaved, and what for. */
  reports: { about: string; link: Link };
}

interface Link {
  name: string;
  url: string;
}

export const regulatorTexts = {
  sra: {
    name: 'Solicitors Regulation Authority',
    shortName: 'SRA',
    numberName: 'SRA number',
    statement: (number) =>
      `Authorised and regulated by the Solicitors Regulation Authority (SRA number ${number}).`,
    register: { name: 'The Solicitors Register', url: 'https://www.sra.org.uk/consumers/register/' },
    rules: {
      name: 'SRA Standards and Regulations',
      url: 'https://www.sra.org.uk/solicitors/standards-regulations/',
    },
    reports: {
      about:
        'dishonesty, taking or losing your money, or treating you unfairly because of your age, a disability or another characteristic',
      link: {
        name: 'Report a firm to the SRA',
        url: 'https://www.sra.org.uk/consumers/problems/report-solicitor/',
      },
    },
  },
  clc: {
    name: 'Council for Licensed Conveyancers',
    shortName: 'CLC',
    numberName: 'practice number',
    statement: (number) => `Regulated by the Council for Licensed Conveyancers (practice number ${number}).`,
    register: { name: 'The CLC’s register of firms', url: 'https://www.clc-uk.org/' },
    rules: { name: 'CLC Handbook', url: 'https://www.clc-uk.org/handbook/the-handbook/' },
    reports: {
      about: 'dishonesty, taking or losing your money, or breaking the CLC’s code of conduct',
      link: { name: 'Report a firm to the CLC', url: 'https://www.clc-uk.org/' },
    },
  },
} as const satisfies Record<string, RegulatorTexts>;

export type Regulator = keyof typeof regulatorTexts;

/** Where clients can complain about how a firm uses their personal data. */
export const dataProtectionAuthority = {
  name: 'Information Commissioner’s Office',
  address: 'Wycliffe House, Water Lane, Wilmslow SK9 5AF',
  phone: '0303 123 1113',
  link: { name: 'Complain to the ICO', url: 'https://ico.org.uk/make-a-complaint/' },
} as const;

/** What clients read about the Legal Ombudsman unless the firm has entered another text. Each item is a paragraph. */
export const ombudsmanText: readonly string[] = [
  'If you are not satisfied with our final response, or we have not sent you one within eight weeks of your complaint, you can ask the Legal Ombudsman to look into it. It is independent, and free for you.',
  'You normally have to contact the Legal Ombudsman within six months of our final response, and within one year of what you complain about, or of the day when you should reasonably have known about it.',
  'Legal Ombudsman, PO Box 6167, Slough SL1 0EH. Telephone 0300 555 0333. Email enquiries@legalombudsman.org.uk. Website www.legalombudsman.org.uk.',
];
