import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRef,
} from '@cantoo/pdf-lib';

/**
 * Where a document has a structure for screen readers, the structure of the pages that were put behind it becomes the
 * last part of it. A document without one stays without: half a structure would hide the document's own pages.
 * @param pages already in the target, numbered as in the structure that they come from
 * @param copyStructure puts the structure of the pages into the target
 * @see ISO 32000-1, 14.7
 */
export function joinStructure(
  target: PDFDocument,
  pages: readonly PDFPage[],
  copyStructure: () => PDFDict | undefined,
): void {
  const { catalog } = target;
  const rootRef = catalog.get(names.root);
  const root = catalog.lookupMaybe(names.root, PDFDict);
  const tree = root?.lookupMaybe(names.tree, PDFDict);
  const structure = root && tree && copyStructure();
  const numbers = structure?.lookupMaybe(names.tree, PDFDict)?.lookupMaybe(names.numbers, PDFArray);
  const parts = structure?.lookupMaybe(names.parts, PDFArray)?.asArray() ?? [];
  if (!root || !tree || !numbers || !(rootRef instanceof PDFRef)) {
    for (const { node } of pages) node.delete(names.place);
    return;
  }
  const first = nextPlace(root, tree);
  for (const { node } of pages) {
    const place = node.lookupMaybe(names.place, PDFNumber);
    if (place) node.set(names.place, PDFNumber.of(first + place.asNumber()));
  }
  const moved = numbers
    .asArray()
    .map((entry, index) =>
      index % 2 === 0 && entry instanceof PDFNumber ? PDFNumber.of(first + entry.asNumber()) : entry,
    );
  addPlaces(target, tree, moved);
  const own = root.lookup(names.parts);
  const before =
    own instanceof PDFArray ? own.asArray() : [root.get(names.parts)].filter((part) => part !== undefined);
  for (const part of parts) target.context.lookupMaybe(part, PDFDict)?.set(PDFName.of('P'), rootRef);
  root.set(names.parts, target.context.obj([...before, ...parts]));
  root.set(names.tree, root.get(names.tree) ?? tree);
  root.set(names.next, PDFNumber.of(first + pages.length));
}

const names = {
  root: PDFName.of('StructTreeRoot'),
  tree: PDFName.of('ParentTree'),
  next: PDFName.of('ParentTreeNextKey'),
  parts: PDFName.of('K'),
  place: PDFName.of('StructParents'),
  numbers: PDFName.of('Nums'),
  branches: PDFName.of('Kids'),
  limits: PDFName.of('Limits'),
};

/** The lowest number that no page or note of the document has. */
function nextPlace(root: PDFDict, tree: PDFDict): number {
  const said = root.lookupMaybe(names.next, PDFNumber)?.asNumber() ?? 0;
  return Math.max(said, highestPlace(tree, 0) + 1);
}

function highestPlace(branch: PDFDict, depth: number): number {
  const places = (branch.lookupMaybe(names.numbers, PDFArray)?.asArray() ?? []).map((entry, index) =>
    index % 2 === 0 && entry instanceof PDFNumber ? entry.asNumber() : -1,
  );
  const branches = depth > 20 ? undefined : branch.lookupMaybe(names.branches, PDFArray);
  const below = Array.from({ length: branches?.size() ?? 0 }, (_, index) =>
    highestPlace(branches?.lookup(index, PDFDict) as PDFDict, depth + 1),
  );
  return [...places, ...below].reduce((most, place) => Math.max(most, place), -1);
}

/** A tree of numbers has either its entries or branches; a new branch takes ours. */
function addPlaces(target: PDFDocument, tree: PDFDict, entries: ReturnType<PDFArray['asArray']>): void {
  const { context } = target;
  const branches = tree.lookupMaybe(names.branches, PDFArray);
  if (!branches) {
    const own = tree.lookupMaybe(names.numbers, PDFArray)?.asArray() ?? [];
    tree.set(names.numbers, context.obj([...own, ...entries]));
    return;
  }
  const [lowest, highest] = [entries[0], entries.at(-2)];
  if (!lowest || !highest) return;
  const branch = context.register(context.obj({ Limits: [lowest, highest], Nums: entries }));
  tree.set(names.branches, context.obj([...branches.asArray(), branch]));
}
