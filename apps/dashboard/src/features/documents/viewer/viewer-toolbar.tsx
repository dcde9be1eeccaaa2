import { type ReactNode, useId, useState } from 'react';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import styles from './viewer.module.css';
import { formatZoom } from './zoom.ts';

export interface ViewerToolbarProps {
  pages?: { current: number; count: number; onGoToPage: (page: number) => void };
  /** Zoom factor; 1 is 100%. */
  zoom: number;
  isFit: boolean;
  onZoom: (direction: 1 | -1) => void;
  onFit: () => void;
  onFind?: () => void;
  isFinding?: boolean;
  onDownload: () => void;
  onPrint: () => void;
  /** Progress while pages are being prepared for printing: "Page 3 of 12…". */
  printProgress: string | null;
  /** The find bar, shown below the toolbar. */
  children?: ReactNode;
}

/** The viewer’s controls: page number, zoom, find, download and print. */
export function ViewerToolbar(props: ViewerToolbarProps) {
  const { pages, zoom, isFit, onZoom, onFit, onFind, isFinding, onDownload, onPrint, printProgress } = props;
  return (
    <div className={styles.toolbars}>
      <fieldset className={styles.toolbar} aria-label="Document controls">
        {pages && <PageField {...pages} />}
        <fieldset className={styles.zoom} aria-label="Zoom">
          <button type="button" onClick={() => onZoom(-1)} aria-label="Zoom out">
            −
          </button>
          <output className={styles.percentage}>
            <VisuallyHidden>Zoom </VisuallyHidden>
            {formatZoom(zoom)}
          </output>
          <button type="button" onClick={() => onZoom(1)} aria-label="Zoom in">
            +
          </button>
          <button type="button" className={styles.textButton} onClick={onFit} aria-pressed={isFit}>
            Fit
            <VisuallyHidden> to width</VisuallyHidden>
          </button>
        </fieldset>
        <div className={styles.actions}>
          {onFind && (
            <button type="button" className={styles.textButton} onClick={onFind} aria-expanded={isFinding}>
              Find
              <VisuallyHidden> in this document</VisuallyHidden>
            </button>
          )}
          <button type="button" className={styles.textButton} onClick={onDownload}>
            Download
          </button>
          <button
            type="button"
            className={styles.textButton}
            aria-disabled={printProgress !== null}
            onClick={() => printProgress === null && onPrint()}
          >
            {printProgress ?? 'Print'}
          </button>
        </div>
      </fieldset>
      {props.children}
    </div>
  );
}

function PageField({ current, count, onGoToPage }: NonNullable<ViewerToolbarProps['pages']>) {
  const id = useId();
  /** The page number being typed; null when the field shows the current page. */
  const [typed, setTyped] = useState<string | null>(null);
  const goToTyped = () => {
    const page = Number.parseInt(typed ?? '', 10);
    if (Number.isFinite(page)) onGoToPage(Math.min(Math.max(page, 1), count));
    setTyped(null);
  };
  return (
    <form
      className={styles.pageField}
      onSubmit={(event) => {
        event.preventDefault();
        goToTyped();
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
        value={typed ?? String(current)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value.replaceAll(/\D/g, ''))}
        onBlur={() => typed !== null && goToTyped()}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step === 0) return;
          event.preventDefault();
          setTyped(null);
          onGoToPage(Math.min(Math.max(current + step, 1), count));
        }}
      />
      <span>of {count}</span>
    </form>
  );
}
