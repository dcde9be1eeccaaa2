import { type ReactNode, useId, useState } from 'react';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import styles from './viewer.module.css';
import { percent } from './zoom.ts';

export interface ViewerBarProps {
  pages?: { shown: number; count: number; onGo: (page: number) => void };
  /** What is shown, as a factor. */
  zoom: number;
  isFit: boolean;
  onZoom: (direction: 1 | -1) => void;
  onFit: () => void;
  onFind?: () => void;
  isFinding?: boolean;
  onDownload: () => void;
  onPrint: () => void;
  /** While pages are made ready for printing: "Page 3 of 12…" */
  printing: string | null;
  /** The bar for finding, under it. */
  children?: ReactNode;
}

/** Where one is in a document and how large it is; find, download, print. */
export function ViewerBar(props: ViewerBarProps) {
  const { pages, zoom, isFit, onZoom, onFit, onFind, isFinding, onDownload, onPrint, printing } = props;
  return (
    <div className={styles.bars}>
      <fieldset className={styles.bar} aria-label="Document controls">
        {pages && <PageField {...pages} />}
        <fieldset className={styles.zoom} aria-label="Size">
          <button type="button" onClick={() => onZoom(-1)} aria-label="Smaller">
            −
          </button>
          <output className={styles.percent}>
            <VisuallyHidden>Size </VisuallyHidden>
            {percent(zoom)}
          </output>
          <button type="button" onClick={() => onZoom(1)} aria-label="Larger">
            +
          </button>
          <button type="button" className={styles.word} onClick={onFit} aria-pressed={isFit}>
            Fit
            <VisuallyHidden> to the width</VisuallyHidden>
          </button>
        </fieldset>
        <div className={styles.ways}>
          {onFind && (
            <button type="button" className={styles.word} onClick={onFind} aria-expanded={isFinding}>
              Find
              <VisuallyHidden> in this document</VisuallyHidden>
            </button>
          )}
          <button type="button" className={styles.word} onClick={onDownload}>
            Download
          </button>
          <button
            type="button"
            className={styles.word}
            aria-disabled={printing !== null}
            onClick={() => printing === null && onPrint()}
          >
            {printing ?? 'Print'}
          </button>
        </div>
      </fieldset>
      {props.children}
    </div>
  );
}

function PageField({ shown, count, onGo }: NonNullable<ViewerBarProps['pages']>) {
  const id = useId();
  /** What is typed and not yet gone to. */
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const wanted = Number.parseInt(typed ?? '', 10);
    if (Number.isFinite(wanted)) onGo(Math.min(Math.max(wanted, 1), count));
    setTyped(null);
  };
  return (
    <form
      className={styles.pageField}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <label htmlFor={id}>Page</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        enterKeyHint="go"
        maxLength={5}
        value={typed ?? String(shown)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, ''))}
        onBlur={() => typed !== null && go()}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setTyped(null);
          onGo(Math.min(Math.max(shown + step, 1), count));
        }}
      />
      <span>of {count}</span>
    </form>
  );
}
