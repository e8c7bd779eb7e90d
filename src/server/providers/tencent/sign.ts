import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'TC3-HMAC-SHA256';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The credentials and the request that a signature of Tencent Cloud is made from. */
export interface TencentCall {
  readonly secretId: string;
  readonly secretKey: string;
  readonly host: string;
  readonly service: string;
  readonly body: string | Buffer;
  readonly nowMs: number;
}

/**
 * The `Authorization` of a JSON `POST` to `/` (cloud.tencent.com/document/api/1729/101843, signature v3): the hash of the
 * request, signed with a key made of the secret, the day and the service.
 */
export const signTencent = ({ secretId, secretKey, host, service, body, nowMs }: TencentCall): string => {
  const timestamp = Math.trunc(nowMs / 1000);
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const signed = 'content-type;host';
  const request = `POST\n/\n\ncontent-type:application/json\nhost:${host}\n\n${signed}\n${sha256(body)}`;
  const scope = `${day}/${service}/tc3_request`;
  const text = `${ALGORITHM}\n${timestamp}\n${scope}\n${sha256(request)}`;
  const key = hmac(hmac(hmac(`TC3${secretKey}`, day), service), 'tc3_request');
  return `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, text).toString('hex')}`;
};
