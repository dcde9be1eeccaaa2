import { useEffect, useState } from 'react';

/** Returns true for four seconds after `mark` changes, and false on the first render. */
export function useChanged(mark: string): boolean {
  const [known, setKnown] = useState(mark);
  const [isChanged, setIsChanged] = useState(false);
  if (mark !== known) {
    setKnown(mark);
    setIsChanged(true);
  }
  useEffect(() => {
    if (!isChanged) return;
    const timer = setTimeout(() => setIsChanged(false), 4_000);
    return () => clearTimeout(timer);
  }, [isChanged]);
  return isChanged;
}
