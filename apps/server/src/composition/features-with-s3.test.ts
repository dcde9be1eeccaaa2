import { describeInS3 } from '@keyturn/testkit';

/** Files whose tests create their stores with the test kit. */
const testFiles = [
  'documents/documents.test.ts',
  'documents/sign-document.test.ts',
  'documents/verify-command.test.ts',
  'documents/withdraw-document.test.ts',
  'documents/document-versions.test.ts',
  'data-protection/erasure/remove-erased-files.test.ts',
  'data-protection/erasure/restore-erasures.test.ts',
];

describeInS3('with documents in S3', async () => {
  // With a query, a worker evaluates a file again that it has run with folders.
  for (const file of testFiles) await import(/* @vite-ignore */ `../features/${file}?in-s3`);
});
