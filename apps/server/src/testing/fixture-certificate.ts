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

/** A self-signed certificate for receiver.example.test, valid until 2099, with its key. */
export const fixtureCertificate = {
  cert: new X509Certificate(Buffer.from(certificate, 'base64')).toString(),
  key: createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
};
