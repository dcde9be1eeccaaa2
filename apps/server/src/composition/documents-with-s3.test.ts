import { describeInS3 } from '@keyturn/testkit';

/** Files whose tests create their stores with the test kit. */
const testFiles = [
  'case-file/documents/documents.test.ts',
  'case-file/documents/sign-document.test.ts',
  'case-file/documents/verify-command.test.ts',
  'case-file/documents/withdraw-document.test.ts',
  'case-file/documents/document-versions.test.ts',
  'records/data-protection/erasure/remove-erased-files-job.test.ts',
  'records/data-protection/erasure/restore-erasures.test.ts',
];

describeInS3('with documents in S3', async () => {
  // With a query, a worker evaluates a file again that it has run with folders.
  for (const file of testFiles) await import(/* @vite-ignore */ `../${file}?in-s3`);
});
