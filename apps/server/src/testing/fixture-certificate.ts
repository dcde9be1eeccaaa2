import { createPrivateKey, X509Certificate } from 'node:crypto';

const certificate =
  'MIIBhjCCASugAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVyZWNlaXZlci5leGFtcGxlLnRlc3QwIBcNMjAwMTAx' +
  'MDAwMDAwWhgPMjA5OTEyMzEwMDAwMDBaMCAxHjAcBgNVBAMMFXJlY2VpdmVyLmV4YW1wbGUudGVzdDBZMBMGByqGSM49AgEG' +
  'CCqGSM49AwEHA0IABCHImyWjvt1HmKbyzhowoVSGpchCdgXzAuYbClU5924xeK9cxWIsThoA3Rj76wRR56sVQRG+YMy9okiK' +
  'hyD2JpKjVDBSMCAGA1UdEQQZMBeCFXJlY2VpdmVyLmV4YW1wbGUudGVzdDAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSJ' +
  'Xy+ls0xak2r7ZDAjHsuol+H3RTAKBggqhkjOPQQDAgNJADBGAiEA7tUv4uYxgPcLBC6MjuX7UqimPx7OL/Mk9Twe2wVU92oC' +
  'IQD8DZq0uyStRBwemelOYib9xn2jhn71fLsxRgskwhRCPw==';

const privateKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5nkRM6uFbHvC301X5G33euJQwTKJ58ngCvw3QfilpcShRANC' +
  'AAQhyJslo77dR5im8s4aMKFUhqXIQnYF8wLmGwpVOfduMXivXMViLE4aAN0Y++sEUeerFUERvmDMvaJIiocg9iaS';

const localCertificate =
  'MIIBmjCCAUGgAwIBAgIUR6xTQ9OELRp5VJQU53aHxeHxIe8wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDT' +
  'I2MTEyMzE4MjUyNFoYDzIwOTkwOTIxMTgyNTI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB' +
  'BwNCAAQArvdU34Nodp0gWZKfBEqbpmH12roEjJWzps+dVq8iWtOaNM8oug95mlBOVNCd/0JfpjY4jX7neaXW6L4Yo3sbo28wbT' +
  'AdBgNVHQ4EFgQUKu/5YGudD7YQbnVNqhrnb8oCudIwHwYDVR0jBBgwFoAUKu/5YGudD7YQbnVNqhrnb8oCudIwDwYDVR0TAQH/' +
  'BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZIzj0EAwIDRwAwRAIgB9pDWKw9cqM661WsNFwome3XUq' +
  '7AzIUglKHpZr6D3hYCICphZ9V5km3Ejk17bsY7a+/Pr5GnOT0spKovBQIb1PDW';

const localPrivateKey =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtDdJmvjVbuVm/sQSNET7rClvS9c0JN5ZxZ9XtfN3Vj+hRANCAA' +
  'QArvdU34Nodp0gWZKfBEqbpmH12roEjJWzps+dVq8iWtOaNM8oug95mlBOVNCd/0JfpjY4jX7neaXW6L4Yo3sb';

const toPem = (cert: string, key: string) => ({
  cert: new X509Certificate(Buffer.from(cert, 'base64')).toString(),
  key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
});

/** A self-signed certificate for receiver.example.test, valid until 2099, with its key. */
export const fixtureCertificate = toPem(certificate, privateKey);

/** The same for localhost. */
export const fixtureLocalCertificate = toPem(localCertificate, localPrivateKey);
