import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { FieldError } from '../../../ui/base/field.tsx';
import type { Drawn, Pad } from './signature-pad.ts';
import styles from './signing.module.css';

/** A place to draw the signature as well, for those who like to. The means for it are loaded when it is opened. */
export function DrawnSignature({
  onChange,
  error,
}: {
  onChange: (drawn: Drawn | null) => void;
  error: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (!isOpen) {
    return (
      <p className={styles.drawOffer}>
        <Button look="plain" onClick={() => setIsOpen(true)}>
          Draw your signature as well
        </Button>{' '}
        <span>You do not have to.</span>
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

function DrawingPad({
  onChange,
  error,
  onRemove,
}: {
  onChange: (drawn: Drawn | null) => void;
  error: string | undefined;
  onRemove: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<Pad>(undefined);
  const [state, setState] = useState<'loading' | 'empty' | 'drawn' | 'failed'>('loading');
  const group = useRef<HTMLFieldSetElement>(null);

  useEffect(() => {
    let isLeft = false;
    group.current?.focus();
    import('./signature-pad.ts').then(
      ({ openPad }) => {
        if (isLeft || !canvas.current) return;
        pad.current = openPad(canvas.current, (drawn) => {
          setState(drawn ? 'drawn' : 'empty');
          onChange(drawn);
        });
        setState('empty');
      },
      () => {
        if (!isLeft) setState('failed');
      },
    );
    return () => {
      isLeft = true;
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
          ? 'Drawing could not be loaded. Your typed name is enough.'
          : 'With a finger, a pen or a mouse. Without one of these, your typed name is enough.'}
      </p>
      {error && <FieldError id="signature-drawing-error">{error}</FieldError>}
      <canvas
        className={styles.pad}
        ref={canvas}
        role="img"
        aria-label={state === 'drawn' ? 'Your drawn signature' : 'An empty place to draw on'}
      />
      <div className={styles.padWays}>
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
