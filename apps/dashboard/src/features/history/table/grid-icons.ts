/*
 * SVG icons for the grid. Its own icons are a font inside a style sheet, which the content security policy blocks. The
 * policy also blocks markup in a string, so each icon is built element by element.
 */
export const gridIcons: Record<string, () => Element> = {
  sortAscending: () => createIcon('M8 13V3M4 7l4-4 4 4'),
  sortDescending: () => createIcon('M8 3v10M4 9l4 4 4-4'),
  filter: () => createIcon('M2.5 4h11M4.5 8h7M6.5 12h3'),
  filterActive: () => createIcon('M2.5 4h11M4.5 8h7M6.5 12h3'),
  menu: () => createIcon('M3 4.5h10M3 8h10M3 11.5h10'),
  menuAlt: () => createIcon('M8 3.5v.01M8 8v.01M8 12.5v.01', 2.6),
  groupExpanded: () => createIcon('M4 6l4 4 4-4'),
  groupContracted: () => createIcon('M6 4l4 4-4 4'),
  subMenuOpen: () => createIcon('M6 4l4 4-4 4'),
  selectOpen: () => createIcon('M4 6l4 4 4-4'),
  check: () => createIcon('M3 8.5l3.2 3.2L13 4.8'),
  close: () => createIcon('M4 4l8 8M12 4l-8 8'),
};

const namespace = 'http://www.w3.org/2000/svg';

function createIcon(path: string, width = 1.6): Element {
  const svg = document.createElementNS(namespace, 'svg');
  const pathElement = document.createElementNS(namespace, 'path');
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
  pathElement.setAttribute('d', path);
  svg.append(pathElement);
  return svg;
}
