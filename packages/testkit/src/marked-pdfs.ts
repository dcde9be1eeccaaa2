/* Small PDFs with form fields, annotations, layers and other parts that readers show in different ways. */

/** The bodies of a PDF’s objects by number. The catalogue is object 1. */
type Objects = Record<number, string>;

export interface PdfParts {
  /** Entries of the catalogue. */
  catalogue?: string;
  /** Entries of the first page. */
  page?: string;
  /** The content of the first page. */
  content?: string;
  /** Further objects, from number 10. */
  objects?: Objects;
}

const text = (words: string, y = 700) => `BT /F1 12 Tf 72 ${y} Td (${words}) Tj ET`;

/** The text of the page that each of these PDFs has. */
export const pageText = 'Contract for 14 Alder Row';

const basic = ({ catalogue = '', page = '', content = '', objects = {} }: PdfParts): Objects => ({
  1: `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: pageObject(4, page),
  4: streamObject('', `${text(pageText)}\n${content}`),
  5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ...objects,
});

const pageObject = (contents: number, entries = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} 0 R
  /Resources << /Font << /F1 5 0 R >> ${/\/Properties.*/.exec(entries)?.[0] ?? ''} >> ${entries.replace(/\/Properties.*/, '')} >>`;

const streamObject = (entries: string, content: string) =>
  `<< ${entries} /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`;

/** A PDF of one page, with a classic cross-reference table. */
export const makePdf = (parts: PdfParts = {}): Buffer => serialise(basic(parts));

function serialise(objects: Objects): Buffer {
  const { body, offsets } = writeObjects('%PDF-1.7\n', objects);
  const size = Math.max(...Object.keys(objects).map(Number)) + 1;
  return Buffer.from(
    `${body}${table(offsets)}trailer\n<< /Root 1 0 R /Size ${size} >>
startxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

function writeObjects(before: string, objects: Objects) {
  let body = before;
  const offsets = new Map<number, number>();
  for (const [number, content] of Object.entries(objects)) {
    offsets.set(Number(number), body.length);
    body += `${number} 0 obj\n${content}\nendobj\n`;
  }
  return { body, offsets };
}

function table(offsets: Map<number, number>): string {
  const sections = [...offsets].map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
  );
  return `xref\n0 1\n0000000000 65535 f \n${sections.join('')}`;
}

/** Adds a revision to a PDF that `makePdf` has made. */
function update(pdf: Buffer, objects: Objects): Buffer {
  const before = pdf.toString('latin1');
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(before)?.[1];
  const { body, offsets } = writeObjects(before, objects);
  return Buffer.from(
    `${body}${table(offsets)}trailer\n<< /Root 1 0 R /Size 40 /Prev ${previous} >>
startxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

const appearance = (words: string) =>
  streamObject(
    '/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 5 0 R >> >>',
    `/Tx BMC q BT /F1 12 Tf 2 5 Td (${words}) Tj ET Q EMC`,
  );

/** A form with one field, object 10. */
const form = (field: string, objects: Objects = {}, entries = '') =>
  makePdf({
    catalogue: `/AcroForm << /Fields [10 0 R] /DA (/F1 12 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> ${entries} >>`,
    page: '/Annots [10 0 R]',
    objects: {
      10: `<< /Type /Annot /Subtype /Widget /Rect [72 600 272 620] /T (price) /DA (/F1 12 Tf 0 g) ${field} >>`,
      ...objects,
    },
  });

/** A page with one annotation, object 10. */
const annotated = (entries: string, objects: Objects = {}) =>
  makePdf({
    page: '/Annots [10 0 R]',
    objects: { 10: `<< /Type /Annot /Rect [72 600 272 620] ${entries} >>`, ...objects },
  });

const withText = '/AP << /N 11 0 R >>';
const price = { 11: appearance('385,000 pounds') };
const tick = '/AP << /N << /Yes 11 0 R /Off 12 0 R >> >>';
const states = { 11: appearance('X'), 12: appearance('') };

const layered = (settings: string) =>
  makePdf({
    catalogue: `/OCProperties << /OCGs [10 0 R] /D << ${settings} >> >>`,
    page: '/Properties << /L1 10 0 R >>',
    content: `/OC /L1 BDC ${text('Clause of the layer', 650)} EMC\n${text('After the layer', 600)}`,
    objects: { 10: '<< /Type /OCG /Name (Layer) >>' },
  });

/** PDFs by what they contain. */
export const markedPdfs = {
  'plain page': () => makePdf(),
  'text field without appearance': () => form('/FT /Tx /V (385,000 pounds)'),
  'text field with appearance': () => form(`/FT /Tx /V (385,000 pounds) ${withText}`, price),
  'text field that needs appearances': () =>
    form(`/FT /Tx /V (385,000 pounds) ${withText}`, price, '/NeedAppearances true'),
  'text field without value': () => form('/FT /Tx'),
  'hidden text field with value': () => form('/FT /Tx /F 2 /V (385,000 pounds)'),
  'ticked checkbox': () => form(`/FT /Btn /V /Yes /AS /Yes ${tick}`, states),
  'unticked checkbox': () => form(`/FT /Btn /V /Off /AS /Off ${tick}`, states),
  'ticked checkbox without appearance': () => form('/FT /Btn /V /Yes /AS /Yes'),
  'chosen radio button': () => form(`/FT /Btn /Ff 49152 /V /Yes /AS /Yes ${tick}`, states),
  'choice without appearance': () => form('/FT /Ch /Ff 131072 /Opt [(Freehold) (Leasehold)] /V (Freehold)'),
  'choice with appearance': () =>
    form(`/FT /Ch /Ff 131072 /Opt [(Freehold) (Leasehold)] /V (Freehold) ${withText}`, {
      11: appearance('Freehold'),
    }),
  'invisible digital signature': () =>
    makePdf({
      catalogue: '/AcroForm << /Fields [10 0 R] /SigFlags 3 >>',
      page: '/Annots [10 0 R]',
      objects: { 10: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (sig) /F 132 /Rect [0 0 0 0] >>' },
    }),
  'static XFA form': () =>
    form(`/FT /Tx /V (385,000 pounds) ${withText}`, { ...price, 13: xfa }, '/XFA 13 0 R'),
  'dynamic XFA form': () =>
    makePdf({
      catalogue: '/AcroForm << /Fields [] /XFA 13 0 R >> /NeedsRendering true',
      objects: { 13: xfa },
    }),
  portfolio: () =>
    makePdf({
      catalogue:
        '/Collection << /Type /Collection /View /T >> /Names << /EmbeddedFiles << /Names [(a) 14 0 R] >> >>',
      objects: {
        14: '<< /Type /Filespec /F (a.pdf) /EF << /F 15 0 R >> >>',
        15: streamObject('', '%PDF-1.7'),
      },
    }),
  'text box': () =>
    annotated(`/Subtype /FreeText /DA (/F1 12 Tf 0 g) /Contents (385,000 pounds) ${withText}`, price),
  'text box without appearance': () =>
    annotated('/Subtype /FreeText /DA (/F1 12 Tf 0 g) /Contents (385,000 pounds)'),
  stamp: () => annotated(`/Subtype /Stamp /Contents (Approved) ${withText}`, { 11: appearance('Approved') }),
  'hidden stamp': () =>
    annotated(`/Subtype /Stamp /F 2 /Contents (Approved) ${withText}`, { 11: appearance('Approved') }),
  'script that runs when it is opened': () =>
    makePdf({ catalogue: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }),
  'script of a page': () => makePdf({ page: '/AA << /O << /S /JavaScript /JS (app.alert\\(1\\)) >> >>' }),
  'named script': () =>
    makePdf({
      catalogue: '/Names << /JavaScript << /Names [(a) 10 0 R] >> >>',
      objects: { 10: '<< /S /JavaScript /JS (app.alert\\(1\\)) >>' },
    }),
  'sticky note': () => annotated('/Subtype /Text /Contents (Ask for less)'),
  'struck-out text': () =>
    annotated(`/Subtype /StrikeOut /QuadPoints [72 620 272 620 72 600 272 600] ${withText}`, price),
  'redaction that is not applied': () =>
    annotated('/Subtype /Redact /QuadPoints [72 620 272 620 72 600 272 600] /IC [0 0 0]'),
  'text box that is only printed': () =>
    annotated(`/Subtype /FreeText /F 36 /DA (/F1 12 Tf 0 g) /Contents (385,000 pounds) ${withText}`, price),
  'attached file': () => annotated('/Subtype /FileAttachment /Contents (a.pdf)'),
  'web link': () => annotated('/Subtype /Link /A << /S /URI /URI (https://example.com) >>'),
  'visible layer': () => layered('/ON [10 0 R]'),
  'hidden layer': () => layered('/OFF [10 0 R]'),
  'layer that is only printed': () =>
    makePdf({
      catalogue:
        '/OCProperties << /OCGs [10 0 R] /D << /AS [<< /Event /Print /OCGs [10 0 R] /Category [/Print] >> << /Event /View /OCGs [10 0 R] /Category [/View] >>] >> >>',
      page: '/Properties << /L1 10 0 R >>',
      content: `/OC /L1 BDC ${text('Clause of the layer', 650)} EMC`,
      objects: {
        10: '<< /Type /OCG /Name (Layer) /Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >> >>',
      },
    }),
  'page replaced in a later revision': () =>
    update(makePdf(), { 4: streamObject('', text('Another contract')) }),
  'field added in a later revision': () =>
    update(makePdf(), {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] /DA (/F1 12 Tf 0 g) >> >>',
      3: pageObject(4, '/Annots [10 0 R]'),
      10: '<< /Type /Annot /Subtype /Widget /Rect [72 600 272 620] /T (price) /FT /Tx /V (385,000 pounds) >>',
    }),
  /* Readers that follow the cross-reference table show the first object 4; readers that scan the file show the last. */
  'page that readers find in two ways': () => twoContents(),
} satisfies Record<string, () => Buffer>;

const xfa = streamObject('', '<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"></xdp:xdp>');

function twoContents(): Buffer {
  const objects = basic({});
  const { body, offsets } = writeObjects('%PDF-1.7\n', objects);
  const other = `${body}4 0 obj\n${streamObject('', text('Another contract'))}\nendobj\n`;
  return Buffer.from(
    `${other}${table(offsets)}trailer\n<< /Root 1 0 R /Size 6 >>\nstartxref\n${other.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A PDF after some bytes that are not part of it, as mail gateways and scanners write it. */
export const afterOtherBytes = (count: number, pdf = makePdf()): Buffer =>
  Buffer.concat([Buffer.alloc(count, '\n'), pdf]);
