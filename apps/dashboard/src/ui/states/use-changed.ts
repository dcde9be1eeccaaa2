import { useEffect, useState } from 'react';

/** Whether something became another in the last few seconds: true once its mark changes, never at first. */
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
