import { Button } from '@keyturn/ui/base/button.tsx';
import { FieldError } from '@keyturn/ui/base/field.tsx';
import { useEffect, useRef, useState } from 'react';
import type { OpenPad, PadDrawing } from './signature-pad.ts';
import styles from './signing.module.css';

/** Offers to draw a signature as well as typing a name. Loads the signature pad only when it is opened. */
export function DrawnSignature({
  onChange,
  error,
}: {
  onChange: (drawing: PadDrawing | null) => void;
  error: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <p className={styles.drawOffer}>
        <Button look="plain" onClick={() => setIsOpen(true)}>
          Draw your signature as well
        </Button>{' '}
        <span>(optional)</span>
      </p>
    );
  }
  return (
    <DrawingPad
      onChange={onChange}
      error={error}
      onRemove={() => {
        onChange(null);
        setIsOpen(false);
      }}
    />
  );
}

/** What a screen reader calls the pad, which accepts strokes only once its library has loaded. */
const padLabels = {
  loading: 'The space for your signature is loading',
  empty: 'Empty space for your signature',
  drawn: 'Your drawn signature',
};

function DrawingPad({
  onChange,
  error,
  onRemove,
}: {
  onChange: (drawing: PadDrawing | null) => void;
  error: string | undefined;
  onRemove: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<OpenPad>(undefined);
  const [state, setState] = useState<'loading' | 'empty' | 'drawn' | 'failed'>('loading');
  const group = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    let isUnmounted = false;
    group.current?.focus();
    import('./signature-pad.ts').then(
      ({ openPad }) => {
        if (isUnmounted || !canvas.current) return;
        pad.current = openPad(canvas.current, (drawing) => {
          setState(drawing ? 'drawn' : 'empty');
          onChange(drawing);
        });
        setState('empty');
      },
      () => {
        if (!isUnmounted) setState('failed');
      },
    );
    return () => {
      isUnmounted = true;
      pad.current?.close();
      pad.current = undefined;
    };
  }, [onChange]);

  return (
    <fieldset
      className={styles.drawing}
      ref={group}
      tabIndex={-1}
      aria-describedby={error ? 'signature-drawing-hint signature-drawing-error' : 'signature-drawing-hint'}
    >
      <legend>Your drawn signature</legend>
      <p className={styles.hint} id="signature-drawing-hint">
        {state === 'failed'
          ? 'Drawing isn’t available at the moment. Your typed name is enough.'
          : 'Use a finger, a stylus or a mouse. If you can’t draw here, your typed name is enough.'}
      </p>
      {error && <FieldError id="signature-drawing-error">{error}</FieldError>}
      {state !== 'failed' && (
        <canvas className={styles.pad} ref={canvas} role="img" aria-label={padLabels[state]} />
      )}
      <div className={styles.padActions}>
        <Button
          id="signature-clear"
          look="plain"
          disabled={state !== 'drawn'}
          onClick={() => pad.current?.clear()}
        >
          Clear the drawing
        </Button>
        <Button look="plain" onClick={onRemove}>
          Sign without a drawing
        </Button>
      </div>
    </fieldset>
  );
}
