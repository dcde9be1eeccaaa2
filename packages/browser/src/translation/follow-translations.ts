/*
 * Chrome's and Edge's translations replace each text of a page by `<font>` elements. React keeps the text that it created: it
 * changes it where it is no longer shown, and fails when it removes it or inserts something before it
 * (https://github.com/facebook/react/issues/11538). So the page remembers which element shows the translation of which text.
 */

/**
 * Keeps a page working while the browser translates it: a text that changes is shown in place of its old translation, until
 * it is translated again, and a text that is removed takes its translation with it.
 * @param root contains everything that React renders
 */
export function followTranslations(root: Node): void {
  const translations = new WeakMap<Node, ChildNode>();
  const known = new WeakSet<Node>();
  const isNewTranslation = (node: Node | null | undefined): node is ChildNode =>
    node instanceof Element && node.localName === 'font' && !known.has(node);

  const changedTexts = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target.isConnected) continue;
      translations.get(target)?.replaceWith(target);
      translations.delete(target);
    }
  });
  const findTranslations = (changes: MutationRecord[]) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of changes) {
      for (const text of removedNodes) {
        const translation = [addedNodes[0], previousSibling, nextSibling].find(isNewTranslation);
        if (!(text instanceof Text) || text.isConnected || !translation) continue;
        known.add(translation);
        translations.set(text, translation);
        changedTexts.observe(text, { characterData: true });
      }
      // React has moved the text, or the browser shows the original again.
      for (const text of addedNodes) {
        if (text.isConnected) translations.get(text)?.remove();
      }
    }
  };
  const replacedTexts = new MutationObserver(findTranslations);
  replacedTexts.observe(root, { childList: true, subtree: true });

  /** Returns what a parent contains in place of a text that was its child. */
  const shownIn = (parent: Node, text: Node): Node => {
    if (text.parentNode === parent || !(text instanceof Text)) return text;
    findTranslations(replacedTexts.takeRecords());
    const translation = translations.get(text);
    return translation?.parentNode === parent ? translation : text;
  };
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child) {
    removeChild.call(this, shownIn(this, child));
    return child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, next: Node | null) {
    return insertBefore.call(this, child, next && shownIn(this, next)) as Child;
  };
}
