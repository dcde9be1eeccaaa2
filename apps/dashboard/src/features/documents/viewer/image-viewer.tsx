import { useEffect, useRef, useState } from 'react';
import { DocumentBox } from './document-scroller.tsx';
import { printPictures } from './print-images.ts';
import { usePinch, useRoom, useSteadyMiddle } from './scroller-hooks.ts';
import styles from './viewer.module.css';
import { ViewerBar } from './viewer-toolbar.tsx';
import { limitZoom, stepZoom, type Zoom } from './zoom.ts';

export interface ImageViewerProps {
  file: Blob;
  title: string;
  onShown: () => void;
  onBroken: () => void;
  onDownload: () => void;
}

/** A picture: whole at first, and larger where asked. */
export function ImageViewer({ file, title, onShown, onBroken, onDownload }: ImageViewerProps) {
  const box = useRef<HTMLDivElement>(null);
  const room = useRoom(box);
  const address = useAddress(file);
  const [width, setWidth] = useState(0);
  const [wanted, setWanted] = useState<Zoom>('fit');
  const zoom = wanted === 'fit' ? Math.min(1, room / (width || 1)) : wanted;
  const [isPrinting, setIsPrinting] = useState(false);
  useSteadyMiddle(box, zoom);
  usePinch(box, (factor) => setWanted((before) => limitZoom((before === 'fit' ? zoom : before) * factor)));

  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const print = async () => {
    const controller = new AbortController();
    abort.current = controller;
    setIsPrinting(true);
    try {
      await printPictures(1, async () => file, { signal: controller.signal, onProgress: () => {} });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      setIsPrinting(false);
    }
  };

  return (
    <div className={styles.viewer} data-never-recorded>
      <ViewerBar
        zoom={zoom}
        isFit={wanted === 'fit'}
        onZoom={(direction) => setWanted(stepZoom(zoom, direction))}
        onFit={() => setWanted('fit')}
        onDownload={onDownload}
        onPrint={() => void print()}
        printing={isPrinting ? 'Preparing…' : null}
      />
      <DocumentBox box={box} title={title}>
        {address && (
          <img
            className={styles.image}
            src={address}
            alt={title}
            style={width === 0 ? { maxWidth: '100%' } : { width: width * zoom }}
            onLoad={({ currentTarget }) => {
              setWidth(currentTarget.naturalWidth);
              onShown();
            }}
            onError={onBroken}
          />
        )}
      </DocumentBox>
    </div>
  );
}

/** An address of a file in memory, as long as it is shown. */
function useAddress(file: Blob): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}
