import { Alert } from '../base/alert.tsx';
import { Button } from '../base/button.tsx';

export interface LoadFailureProps {
  /** What could not be loaded: "Your searches". */
  what: string;
  message: string;
  onRetry: () => void;
  isTrying: boolean;
}

/** Replaces content that could not be loaded, with a button to try again. */
export function LoadFailure({ what, message, onRetry, isTrying }: LoadFailureProps) {
  return (
    <Alert
      tone="attention"
      title={`${what} couldn’t be loaded`}
      action={
        <Button look="quiet" size="small" busy={isTrying} busyText="Trying…" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      <p>{message}</p>
    </Alert>
  );
}
