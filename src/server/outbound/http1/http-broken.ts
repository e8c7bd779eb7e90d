/** The response is not valid HTTP/1.1 (RFC 9112), or was cut off. */
export class HttpBroken extends Error {}
