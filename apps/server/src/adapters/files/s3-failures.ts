/** Why a request to the store failed. */
export interface S3Failure {
  /** Follows “The document store”. */
  reason: string;
  /** Whether the same request may succeed a moment later. */
  mayPass: boolean;
  /** Whether it will fail until the settings or permissions change. */
  isRefused: boolean;
}

/**
 * Explains an error of the S3 client.
 * @param host the host and port of the store
 * @returns `missing` if only the file does not exist
 */
export function findFailure(error: unknown, bucket: string, host: string): S3Failure | 'missing' {
  const { name, message, code, status } = detailsOf(error);
  const refused = (reason: string): S3Failure => ({ reason, mayPass: false, isRefused: true });
  // An answer to HEAD has no body that names the error.
  if (name === 'NoSuchKey' || (name === 'NotFound' && status === 404)) return 'missing';
  if (name === 'NoSuchBucket') return refused(`has no bucket ${bucket}`);
  if (/Credentials/.test(name))
    return refused('has no credentials: set KEYTURN_S3_ACCESS_KEY_ID and KEYTURN_S3_SECRET_ACCESS_KEY');
  if (status === 301 || name === 'AuthorizationHeaderMalformed')
    return refused(
      `has the bucket ${bucket} in another region: check KEYTURN_S3_REGION (${name}: ${message})`,
    );
  if (status === 507 || /full|quota/i.test(name))
    return { reason: `is full (${name})`, mayPass: false, isRefused: false };
  if (status === 401 || status === 403)
    return refused(
      `refuses access to ${bucket} (${name}): its credentials must be valid and may need the permissions to list the bucket and to get and put its objects`,
    );
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return refused(`rejects requests (${status} ${name}: ${message})`);
  if (status !== undefined && status >= 400)
    // The client has repeated the request.
    return { reason: `cannot answer (${status} ${name})`, mayPass: false, isRefused: false };
  if (name === 'TimeoutError')
    return { reason: `does not answer in time at ${host} (${message})`, mayPass: false, isRefused: false };
  return { reason: `cannot be reached at ${host} (${code ?? message})`, mayPass: true, isRefused: false };
}

function detailsOf(error: unknown) {
  const { name, message, code, $metadata } = error as {
    name: string;
    message: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  return { name, message, code, status: $metadata?.httpStatusCode };
}
