/** Keys at rest. Implemented beside the database, where the master key lives. */
export interface Vault {
  /** AES-256-GCM. `place` (`channel:12`) is bound in: a ciphertext moved elsewhere does not open. */
  encrypt(plain: string, place: string): string;
  /** Throws when the text was made for another place or under another key. */
  decrypt(sealed: string, place: string): string;
  /** HMAC-SHA-256 in base64url: how a key is found without being stored. */
  mac(plain: string): string;
}
