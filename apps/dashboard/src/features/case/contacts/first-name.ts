/** Returns the first name to address someone by, or the whole name when it starts with a title such as "Dr". */
export function firstName(name: string): string {
  const [first = name] = name.trim().split(/\s+/);
  return /^(mr|mrs|ms|miss|mx|dr|prof|sir|dame|lady|lord)\.?$/i.test(first) ? name : first;
}
