/*
 * The grid's signs as drawings of ours. Its own come as a font inside a style sheet, which the content policy does
 * not allow, and markup in a string would be refused as well: each is made element by element.
 */
export const gridIcons: Record<string, () => Element> = {
  sortAscending: () => drawing('M8 13V3M4 7l4-4 4 4'),
  sortDescending: () => drawing('M8 3v10M4 9l4 4 4-4'),
  filter: () => drawing('M2.5 4h11M4.5 8h7M6.5 12h3'),
  filterActive: () => drawing('M2.5 4h11M4.5 8h7M6.5 12h3'),
  menu: () => drawing('M3 4.5h10M3 8h10M3 11.5h10'),
  menuAlt: () => drawing('M8 3.5v.01M8 8v.01M8 12.5v.01', 2.6),
  groupExpanded: () => drawing('M4 6l4 4 4-4'),
  groupContracted: () => drawing('M6 4l4 4-4 4'),
  subMenuOpen: () => drawing('M6 4l4 4-4 4'),
  selectOpen: () => drawing('M4 6l4 4 4-4'),
  check: () => drawing('M3 8.5l3.2 3.2L13 4.8'),
  close: () => drawing('M4 4l8 8M12 4l-8 8'),
};

const namespace = 'http://www.w3.org/2000/svg';

function drawing(path: string, width = 1.6): Element {
  const svg = document.createElementNS(namespace, 'svg');
  const line = document.createElementNS(namespace, 'path');
  for (const [name, value] of [
    ['width', '16'],
    ['height', '16'],
    ['viewBox', '0 0 16 16'],
    ['fill', 'none'],
    ['stroke', 'currentColor'],
    ['stroke-width', String(width)],
    ['stroke-linecap', 'round'],
    ['stroke-linejoin', 'round'],
    ['aria-hidden', 'true'],
  ] as const) {
    svg.setAttribute(name, value);
  }
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
