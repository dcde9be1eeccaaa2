import { MaintenanceError } from '../guards/maintenance.ts';
import { contentForError } from './error-content.ts';
import { ErrorSection } from './error-page.tsx';

/** Whether only one area is in maintenance, and not the whole dashboard. */
export const isClosedArea = (error: unknown): boolean =>
  error instanceof MaintenanceError && error.area !== 'general';

/** Replaces a screen while its area is in maintenance, with the navigation around it. */
export function ClosedArea({ error }: { error: unknown }) {
  return <ErrorSection {...contentForError(error)} />;
}
