/** What came is not HTTP/1.1 as RFC 9112 has it, or ended before its end. */
export class HttpBroken extends Error {}
