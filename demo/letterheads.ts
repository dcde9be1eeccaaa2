import { statutoryLine } from '@keyturn/format/statutory-line';
import { firm, regulation } from './firm.ts';

/** What identifies the author of a paper, at the top and at the foot of its pages. */
export interface Letterhead {
  name: string;
  /** What the author is, below the name. */
  description?: string;
  address: string[];
  contact?: string;
  /** What the author must state, at the foot: its legal form and regulator. */
  statement?: string;
  hasLogo?: boolean;
  /** A standard PDF font, for the name, the title and headings. Embedding another one would take most of the time to render. */
  font: 'Times-Roman' | 'Times-Bold' | 'Helvetica' | 'Helvetica-Bold' | 'Courier';
  colour: string;
  /** Where the name is. The address is next to it on the right, or below it. */
  layout: 'beside' | 'centred' | 'right';
}

export const ourLetterhead: Letterhead = {
  name: 'Alder & Finch',
  description: 'Conveyancing',
  address: firm.address,
  contact: firm.phone,
  statement: statutoryLine({ ...regulation, trading_name: firm.name, regulator_number: firm.sra_number }),
  hasLogo: true,
  font: 'Times-Roman',
  colour: '#14483c',
  layout: 'beside',
};

export const quillAndMarsh: Letterhead = {
  name: 'QUILL & MARSH',
  description: 'Solicitors',
  address: ['9 Weir House', 'Stony Street', 'Frome BA11 1BU'],
  contact: '01373 496 010',
  statement:
    'Quill & Marsh Solicitors is a partnership. Partners: Helen Quill and Robert Marsh. Authorised and regulated by the Solicitors Regulation Authority (SRA number 000000).',
  font: 'Times-Bold',
  colour: '#3a2a4d',
  layout: 'centred',
};

export const avonVale: Letterhead = {
  name: 'Avon Vale Building Society',
  description: 'Mortgage services',
  address: ['Vale House', 'Castle Street', 'Trowbridge BA14 8AX'],
  contact: '01225 496 050',
  statement:
    'Avon Vale Building Society is authorised by the Prudential Regulation Authority and regulated by the Financial Conduct Authority and the Prudential Regulation Authority (register number 000000).',
  font: 'Helvetica-Bold',
  colour: '#1f3f7a',
  layout: 'right',
};

export const terrainData: Letterhead = {
  name: 'Terrain Data',
  description: 'Environmental reports for conveyancers',
  address: ['Unit 4, Docklands Court', 'Gloucester GL1 2EH'],
  contact: '01452 496 060',
  statement:
    'Terrain Data Limited, registered in England and Wales (00000000). Registered office: Unit 4, Docklands Court, Gloucester GL1 2EH.',
  font: 'Helvetica-Bold',
  colour: '#2d6a31',
  layout: 'beside',
};

export const nunneySurveys: Letterhead = {
  name: 'Nunney Surveys',
  description: 'Chartered surveyors',
  address: ['The Forge, Horn Street', 'Nunney, Frome BA11 4NP'],
  contact: '01373 496 035',
  statement: 'Nunney Surveys is regulated by RICS.',
  font: 'Helvetica',
  colour: '#7a3b1f',
  layout: 'right',
};

export const mendipCouncil: Letterhead = {
  name: 'MENDIP DISTRICT COUNCIL',
  description: 'Planning Department',
  address: ['Shepton Mallet'],
  font: 'Courier',
  colour: '#222222',
  layout: 'centred',
};

export const bearFlatGlazing: Letterhead = {
  name: 'Bear Flat Glazing',
  description: 'Windows and doors since 1988',
  address: ['31 Bear Flat, Bath BA2 4RS'],
  contact: '01225 496 072',
  font: 'Helvetica-Bold',
  colour: '#0b5d78',
  layout: 'beside',
};

export const kennElectrical: Letterhead = {
  name: 'Kenn Electrical',
  description: 'Registered electrical contractor',
  address: ['7 Station Yard', 'Yatton BS49 4AJ'],
  contact: '01934 496 026',
  font: 'Helvetica-Bold',
  colour: '#8a5a00',
  layout: 'beside',
};

export const yeoHeating: Letterhead = {
  name: 'Yeo Heating',
  description: 'Boilers and gas',
  address: ['2 Mill Leg', 'Congresbury BS49 5HZ'],
  contact: '01934 496 041',
  font: 'Helvetica',
  colour: '#a02c2c',
  layout: 'right',
};

/** Returns the letterhead of people who write as themselves. */
export const privateLetterhead = (name: string, address: string): Letterhead => ({
  name,
  address: [address],
  font: 'Times-Roman',
  colour: '#222222',
  layout: 'right',
});
