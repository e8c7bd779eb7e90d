import { hash } from 'node:crypto';

/** SHA-256 of a text, in 44 characters. */
export const textDigest = (text: string): string => hash('sha256', text, 'base64');
