import { classNames } from '@keyturn/ui/base/class-names.ts';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { type ReactNode, useId, useState } from 'react';
import styles from './viewer.module.css';
import { formatZoom } from './zoom.ts';

export interface ViewerToolbarProps {
  pages?: { current: number; count: number; onGoToPage: (page: number) => void };
  /** Whether the document is shown as text; undefined when it can’t be. */
  text?: { isShown: boolean; onToggle: () => void };
  size: SizeControls;
  onFind?: () => void;
  isFinding?: boolean;
  onDownload: () => void;
  onPrint: () => void;
  /** Progress while pages are being prepared for printing: "Page 3 of 12…". */
  printProgress: string | null;
  /** The find bar, shown below the toolbar. */
  children?: ReactNode;
}

interface SizeControls {
  /** 1 is 100%. */
  factor: number;
  isFit: boolean;
  /** Whether they change the size of the text view instead of the pages. */
  isText?: boolean;
  onStep: (direction: 1 | -1) => void;
  onFit: () => void;
}

/** The viewer’s controls. On a narrow screen one bar has the most used ones, and “More” shows the others. */
export function ViewerToolbar(props: ViewerToolbarProps) {
  const { pages, text, size, onFind, isFinding, children } = props;
  const [isMoreShown, setIsMoreShown] = useState(false);
  const moreId = useId();
  return (
    <div className={styles.toolbars}>
      <fieldset className={styles.toolbar} aria-label="Document controls">
        {pages && <PageField {...pages} />}
        <div className={styles.actions}>
          {text && (
            <button
              type="button"
              className={styles.textButton}
              onClick={text.onToggle}
              aria-pressed={text.isShown}
            >
              <span className={styles.longLabel}>Read as text</span>
              <span className={styles.shortLabel} aria-hidden="true">
                Text
              </span>
            </button>
          )}
          {onFind && (
            <button type="button" className={styles.textButton} onClick={onFind} aria-expanded={isFinding}>
              Find
              <VisuallyHidden> in this document</VisuallyHidden>
            </button>
          )}
          <button
            type="button"
            className={classNames(styles.textButton, styles.more)}
            aria-expanded={isMoreShown}
            aria-controls={moreId}
            onClick={() => setIsMoreShown(!isMoreShown)}
          >
            More
            <VisuallyHidden> controls</VisuallyHidden>
          </button>
        </div>
        <div id={moreId} className={styles.secondary} data-shown={isMoreShown}>
          <SizeField {...size} />
          <FileActions {...props} />
        </div>
      </fieldset>
      {children}
    </div>
  );
}

function SizeField({ factor, isFit, isText = false, onStep, onFit }: SizeControls) {
  return (
    <fieldset className={styles.zoom} aria-label={isText ? 'Text size' : 'Zoom'}>
      <button type="button" onClick={() => onStep(-1)} aria-label={isText ? 'Smaller text' : 'Zoom out'}>
        −
      </button>
      <output className={styles.percentage}>
        <VisuallyHidden>{isText ? 'Text size' : 'Zoom'} </VisuallyHidden>
        {formatZoom(factor)}
      </output>
      <button type="button" onClick={() => onStep(1)} aria-label={isText ? 'Larger text' : 'Zoom in'}>
        +
      </button>
      <button type="button" className={styles.textButton} onClick={onFit} aria-pressed={isFit}>
        {isText ? (
          'Usual size'
        ) : (
          <>
            Fit
            <VisuallyHidden> to width</VisuallyHidden>
          </>
        )}
      </button>
    </fieldset>
  );
}

function FileActions({
  onDownload,
  onPrint,
  printProgress,
}: Pick<ViewerToolbarProps, 'onDownload' | 'onPrint' | 'printProgress'>) {
  return (
    <div className={styles.actions}>
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
