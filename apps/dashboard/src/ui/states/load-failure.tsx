import { Alert } from '../base/alert.tsx';
import { Button } from '../base/button.tsx';

export interface LoadFailureProps {
  /** What is missing: "Your searches". */
  what: string;
  message: string;
  onRetry: () => void;
  isTrying: boolean;
}

/** In the place of something that could not be read, with a way to try again. */
export function LoadFailure({ what, message, onRetry, isTrying }: LoadFailureProps) {
  return (
    <Alert
      tone="attention"
      title={`${what} could not be shown`}
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
