import { useEffect, useRef, useState } from 'react';
import { DocumentScroller } from './document-scroller.tsx';
import { printImages } from './print-images.ts';
import { useContentWidth } from './use-content-width.ts';
import { useGestures } from './use-gestures.ts';
import { useZoomAnchor } from './use-zoom-anchor.ts';
import styles from './viewer.module.css';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import { isZoomedIn, limitZoom, stepZoom, type Zoom } from './zoom.ts';

export interface ImageViewerProps {
  file: Blob;
  title: string;
  onShown: () => void;
  onError: () => void;
  onDownload: () => void;
}

/** Shows an image, first fitted to the width, with controls for zooming and printing. */
export function ImageViewer({ file, title, onShown, onError, onDownload }: ImageViewerProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const availableWidth = useContentWidth(scroller);
  const url = useObjectUrl(file);
  const [width, setWidth] = useState(0);
  const [zoomSetting, setZoomSetting] = useState<Zoom>('fit');
  const fit = Math.min(1, availableWidth / (width || 1));
  const zoom = zoomSetting === 'fit' ? fit : zoomSetting;
  const [isPrinting, setIsPrinting] = useState(false);
  const hold = useZoomAnchor(scroller, zoom);
  const change = (next: Zoom, target: Parameters<typeof hold>[0] = {}) => {
    hold(target);
    setZoomSetting(next);
  };
  useGestures(scroller, {
    onPinch: (factor, point) => {
      hold({ point });
      setZoomSetting((setting) => limitZoom((setting === 'fit' ? zoom : setting) * factor));
    },
    onDoubleTap: (point) => change(isZoomedIn(zoom, fit) ? 'fit' : limitZoom(fit * 2), { point }),
  });

  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const print = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setIsPrinting(true);
    try {
      await printImages(1, async () => file, { signal: controller.signal, onProgress: () => {} });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setIsPrinting(false);
    }
  };

  return (
    <div className={styles.viewer} data-never-recorded>
      <ViewerToolbar
        size={{
          factor: zoom,
          isFit: zoomSetting === 'fit',
          onStep: (direction) => change(stepZoom(zoom, direction)),
          onFit: () => change('fit'),
        }}
        onDownload={onDownload}
        onPrint={() => void print()}
        printProgress={isPrinting ? 'Preparing…' : null}
      />
      <DocumentScroller ref={scroller} title={title}>
        {url && (
          <img
            className={styles.image}
            data-page
            src={url}
            alt={title}
            style={width === 0 ? { maxWidth: '100%' } : { width: width * zoom }}
            onLoad={({ currentTarget }) => {
              setWidth(currentTarget.naturalWidth);
              onShown();
            }}
            onError={onError}
          />
        )}
      </DocumentScroller>
    </div>
  );
}

/** Creates a URL for a file in memory, and revokes it when the file changes or the component unmounts. */
function useObjectUrl(file: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  return url;
}
