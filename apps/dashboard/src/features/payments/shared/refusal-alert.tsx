import { Alert } from '../../../ui/base/alert.tsx';
import formStyles from './payment-form.module.css';
import { RefusalCause, RefusalRemedy } from './refusal-text.tsx';

/** Above a card form: why the last attempt was refused, and what to do. */
export function RefusalAlert({ code }: { code: string }) {
  return (
    <Alert tone="danger" takesFocus className={formStyles.formAlert} title={<RefusalCause code={code} />}>
      <p>
        <RefusalRemedy code={code} />
      </p>
    </Alert>
  );
}
