/** Replaces the table of the history in the preview: its data grid is as large as everything else together. */
export const HistoryTableLoader = () => <p>The table is not part of the preview. Choose the timeline.</p>;
