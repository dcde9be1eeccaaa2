import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { Children, Fragment, type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react';
import type { DocumentFind, PageMatches } from '../find/use-find.ts';
import type { OpenPdf } from '../viewer/open-pdf.ts';
import { markMatches } from './mark-matches.ts';
import type { TextBlock, TextRun } from './text-blocks.ts';
import styles from './text-view.module.css';
import { type DocumentText, useDocumentText } from './use-document-text.ts';

export interface TextViewProps {
  pdf: OpenPdf;
  scroller: RefObject<HTMLElement | null>;
  find: DocumentFind;
  /** 1 is the size of text on every other screen. */
  size: number;
  /** Called once the text is visible. */
  onShown: () => void;
}

/** Shows the text of a PDF, reflowed to the width of the screen, with headings, lists and tables where it has them. */
export function TextView({ pdf, scroller, find, size, onShown }: TextViewProps) {
  const text = useDocumentText(pdf);
  const onTextShown = useEffectEvent(onShown);
  const isReady = text !== undefined;
  useEffect(() => {
    if (isReady) onTextShown();
  }, [isReady]);
  useEffect(() => {
    if (!find.currentMatch || !isReady) return;
    scroller.current?.querySelector('mark[data-current]')?.scrollIntoView({ block: 'center' });
  }, [find.currentMatch, scroller, isReady]);
  if (!text) {
    return (
      <div className={styles.reader}>
        <VisuallyHidden>Reading the text…</VisuallyHidden>
        <Skeleton lines={8} />
      </div>
    );
  }
  return (
    <div className={styles.reader} style={{ '--text-size': size } as React.CSSProperties}>
      <p className={styles.note}>
        {text.hasText
          ? 'The words of the document, without its layout and pictures. The pages are the document itself.'
          : 'This document is a scan, so it has no text to show. Read the pages instead.'}
      </p>
      {text.hasText && <TextPages text={text} find={find} />}
    </div>
  );
}

function TextPages({ text: { pages, language }, find }: { text: DocumentText; find: DocumentFind }) {
  return (
    <div lang={language ?? 'en-GB'}>
      {inOrder(pages, (blocks, index) => (
        <section data-page className={styles.page} aria-label={`Page ${index + 1} of ${pages.length}`}>
          <p className={styles.pageNumber} aria-hidden="true" lang="en-GB">
            Page {index + 1}
          </p>
          <Blocks blocks={blocks} matches={find.matchesOnPage(index + 1)} />
          {blocks.length === 0 && <p lang="en-GB">This page has no text.</p>}
        </section>
      ))}
    </div>
  );
}

/** Blocks in order; neighbouring items become a list, and neighbouring rows a table. */
function Blocks({ blocks, matches }: { blocks: readonly TextBlock[]; matches: PageMatches }) {
  return inOrder(groupBlocks(blocks), (group) => renderGroup(group, matches));
}

/** Renders items of a text, which never change their order, so that each one’s position is its key. */
function inOrder<Item>(
  items: readonly Item[],
  render: (item: Item, index: number) => ReactNode,
): ReactNode[] {
  return Children.toArray(items.map(render));
}

function groupBlocks(blocks: readonly TextBlock[]): TextBlock[][] {
  const groups: TextBlock[][] = [];
  for (const block of blocks) {
    const group = groups.at(-1);
    const isJoined = block.kind === 'item' || block.kind === 'row';
    if (group && isJoined && group[0]?.kind === block.kind) group.push(block);
    else groups.push([block]);
  }
  return groups;
}

function renderGroup(group: readonly TextBlock[], matches: PageMatches) {
  const [first] = group;
  switch (first?.kind) {
    case 'heading': {
      const Heading = `h${first.level + 1}` as 'h2' | 'h3' | 'h4';
      return (
        <Heading>
          <Runs runs={first.runs} matches={matches} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <Runs runs={first.runs} matches={matches} />
        </p>
      );
    case 'edge':
      return (
        <p className={styles.edge}>
          <Runs runs={first.runs} matches={matches} />
        </p>
      );
    case 'figure':
      return <p className={styles.figure}>Picture: {first.description}</p>;
    case 'item':
      return (
        <ul>
          {inOrder(group, (block) => (
            <li>{block.kind === 'item' && <Runs runs={block.runs} matches={matches} />}</li>
          ))}
        </ul>
      );
    case 'row':
      return <Table rows={group} matches={matches} />;
    default:
      return null;
  }
}

function Table({ rows, matches }: { rows: readonly TextBlock[]; matches: PageMatches }) {
  return (
    <table>
      <tbody>
        {inOrder(rows, (row) => (
          <tr>
            {row.kind === 'row' &&
              inOrder(row.cells, (runs) => (
                <td>
                  <Runs runs={runs} matches={matches} />
                </td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Runs({ runs, matches }: { runs: readonly TextRun[]; matches: PageMatches }) {
  return runs.map((run) => (
    <Fragment key={run.piece}>
      {run.isSpaced && ' '}
      {inOrder(markMatches(run, matches), ({ text, match, isCurrent }) =>
        match === null ? text : <mark data-current={isCurrent || undefined}>{text}</mark>,
      )}
    </Fragment>
  ));
}
