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
 * Appends the structure of added pages to the structure that the document has for screen readers. A document without
 * one stays untagged: a partial structure would hide the document's own pages.
 *
 * @param pages pages already added to the target, with the StructParents numbers of their source
 * @param copyStructure copies the structure of the pages into the target
 * @see ISO 32000-1, 14.7
 */
export function appendStructure(
  target: PDFDocument,
  pages: readonly PDFPage[],
  copyStructure: () => PDFDict | undefined,
): void {
  const { catalog } = target;
  const rootRef = catalog.get(names.root);
  const root = catalog.lookupMaybe(names.root, PDFDict);
  const tree = root?.lookupMaybe(names.parentTree, PDFDict);
  const structure = root && tree && copyStructure();
  const numbers = structure?.lookupMaybe(names.parentTree, PDFDict)?.lookupMaybe(names.numbers, PDFArray);
  const parts = structure?.lookupMaybe(names.kids, PDFArray)?.asArray() ?? [];
  if (!root || !tree || !numbers || !(rootRef instanceof PDFRef)) {
    for (const { node } of pages) node.delete(names.structParents);
    return;
  }
  const first = nextStructParents(root, tree);
  for (const { node } of pages) {
    const place = node.lookupMaybe(names.structParents, PDFNumber);
    if (place) node.set(names.structParents, PDFNumber.of(first + place.asNumber()));
  }
  const renumbered = numbers
    .asArray()
    .map((entry, index) =>
      index % 2 === 0 && entry instanceof PDFNumber ? PDFNumber.of(first + entry.asNumber()) : entry,
    );
  addNumberTreeEntries(target, tree, renumbered);
  const own = root.lookup(names.kids);
  const before =
    own instanceof PDFArray ? own.asArray() : [root.get(names.kids)].filter((part) => part !== undefined);
  for (const part of parts) target.context.lookupMaybe(part, PDFDict)?.set(PDFName.of('P'), rootRef);
  root.set(names.kids, target.context.obj([...before, ...parts]));
  root.set(names.parentTree, root.get(names.parentTree) ?? tree);
  root.set(names.nextKey, PDFNumber.of(first + pages.length));
}

const names = {
  root: PDFName.of('StructTreeRoot'),
  parentTree: PDFName.of('ParentTree'),
  nextKey: PDFName.of('ParentTreeNextKey'),
  kids: PDFName.of('K'),
  structParents: PDFName.of('StructParents'),
  numbers: PDFName.of('Nums'),
  treeKids: PDFName.of('Kids'),
  limits: PDFName.of('Limits'),
};

/** Finds the lowest unused StructParents number of the document. */
function nextStructParents(root: PDFDict, tree: PDFDict): number {
  const declared = root.lookupMaybe(names.nextKey, PDFNumber)?.asNumber() ?? 0;
  return Math.max(declared, highestKey(tree, 0) + 1);
}

function highestKey(branch: PDFDict, depth: number): number {
  const places = (branch.lookupMaybe(names.numbers, PDFArray)?.asArray() ?? []).map((entry, index) =>
    index % 2 === 0 && entry instanceof PDFNumber ? entry.asNumber() : -1,
  );
  const branches = depth > 20 ? undefined : branch.lookupMaybe(names.treeKids, PDFArray);
  const below = Array.from({ length: branches?.size() ?? 0 }, (_, index) =>
    highestKey(branches?.lookup(index, PDFDict) as PDFDict, depth + 1),
  );
  return [...places, ...below].reduce((highest, key) => Math.max(highest, key), -1);
}

/** A number tree has either entries or branches; in the second case the entries become a new branch. */
function addNumberTreeEntries(
  target: PDFDocument,
  tree: PDFDict,
  entries: ReturnType<PDFArray['asArray']>,
): void {
  const { context } = target;
  const branches = tree.lookupMaybe(names.treeKids, PDFArray);
  if (!branches) {
    const own = tree.lookupMaybe(names.numbers, PDFArray)?.asArray() ?? [];
    tree.set(names.numbers, context.obj([...own, ...entries]));
    return;
  }
  const [lowest, highest] = [entries[0], entries.at(-2)];
  if (!lowest || !highest) return;
  const branch = context.register(context.obj({ Limits: [lowest, highest], Nums: entries }));
  tree.set(names.treeKids, context.obj([...branches.asArray(), branch]));
}
