/** A value of a form: text, a list or named values. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };

/**
 * Parses a body or a query as Stripe's SDK sends it: `amount=100&metadata[payment_id]=…&expand[0]=…`
 * @returns nested values; names that are numbers or empty make a list
 */
export function readForm(text: string): { [name: string]: FormValue } {
  const root: Tree = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [
      name.replace(/\[.*$/, ''),
      ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, key]) => key ?? ''),
    ];
    put(root, path, value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, toValue(value)]));
}

type Tree = Map<string, Tree | string>;

function put(tree: Tree, [name = '', ...rest]: string[], value: string): void {
  const key = name === '' ? String(tree.size) : name;
  if (rest.length === 0) {
    tree.set(key, value);
    return;
  }
  const existing = tree.get(key);
  const child: Tree = existing instanceof Map ? existing : new Map();
  tree.set(key, child);
  put(child, rest, value);
}

function toValue(node: Tree | string): FormValue {
  if (typeof node === 'string') return node;
  const isList = node.size > 0 && [...node.keys()].every((key) => /^\d+$/.test(key));
  if (isList) return [...node.values()].map(toValue);
  return Object.fromEntries([...node].map(([name, value]) => [name, toValue(value)]));
}
