import { useEffect, useRef, useState } from 'react';
import { DocumentScroller } from './document-scroller.tsx';
import { printImages } from './print-images.ts';
import { useContentWidth, usePinch, useStableCentre } from './scroller-hooks.ts';
import styles from './viewer.module.css';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import { limitZoom, stepZoom, type Zoom } from './zoom.ts';

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
  const zoom = zoomSetting === 'fit' ? Math.min(1, availableWidth / (width || 1)) : zoomSetting;
  const [isPrinting, setIsPrinting] = useState(false);
  useStableCentre(scroller, zoom);
  usePinch(scroller, (factor) =>
    setZoomSetting((setting) => limitZoom((setting === 'fit' ? zoom : setting) * factor)),
  );

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
        zoom={zoom}
        isFit={zoomSetting === 'fit'}
        onZoom={(direction) => setZoomSetting(stepZoom(zoom, direction))}
        onFit={() => setZoomSetting('fit')}
        onDownload={onDownload}
        onPrint={() => void print()}
        printProgress={isPrinting ? 'Preparing…' : null}
      />
      <DocumentScroller ref={scroller} title={title}>
        {url && (
          <img
            className={styles.image}
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
