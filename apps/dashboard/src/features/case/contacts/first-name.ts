/** "Rhian" of "Rhian Morgan"; the whole of "Dr Rhian Morgan" and of a single name. */
export function firstName(name: string): string {
  const [first = name] = name.trim().split(/\s+/);
  return /^(mr|mrs|ms|miss|mx|dr|prof|sir|dame|lady|lord)\.?$/i.test(first) ? name : first;
}
