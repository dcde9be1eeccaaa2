/** Returns a view of an object in which one method is replaced; all other methods run on the object itself. */
export function replaceMethod<Target extends object>(
  target: Target,
  replaced: keyof Target,
  method: unknown,
): Target {
  return new Proxy(target, {
    get: (original, name) => {
      if (name === replaced) return method;
      const member: unknown = Reflect.get(original, name);
      return typeof member === 'function' ? member.bind(original) : member;
    },
  });
}
