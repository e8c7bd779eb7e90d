/** Encrypts stored keys. Implemented next to the database, where the master key is. */
export interface Vault {
  /** AES-256-GCM. `place` (`channel:12`) is authenticated: a ciphertext moved to another place does not decrypt. */
  encrypt(plain: string, place: string): string;
  /** Throws if the text was encrypted for another place or with another key. */
  decrypt(sealed: string, place: string): string;
  /** HMAC-SHA-256 in base64url: finds a key without storing it in plain text. */
  mac(plain: string): string;
}
