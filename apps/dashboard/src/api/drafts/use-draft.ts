import { useEffect } from 'react';
import { useServices } from '../services/services.ts';
import { draftsFor } from './drafts.ts';

/** Registers what is entered in a form but not sent; null while there is nothing to lose. */
export function useDraft(form: string, entered: unknown): void {
  const drafts = draftsFor(useServices());
  useEffect(() => {
    if (entered === null) drafts.clear(form);
    else drafts.set(form, entered);
  }, [drafts, form, entered]);
  useEffect(() => () => drafts.close(form), [drafts, form]);
}
