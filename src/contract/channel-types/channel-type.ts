/**
 * What lists of channels show of a type. What its form shows is in `type-guides.ts`; what the server knows of it, in its
 * folder under `src/server/providers`.
 */
export interface ChannelType {
  readonly id: number;
  readonly label: string;
  /** Its default address; empty if there is none: see `needsAddress`. */
  readonly baseUrl: string;
  /** It needs no address: the channel's region gives it. */
  readonly addressByRegion?: true;
  /** The meaning of its `other` field, if it has one. */
  readonly other?: 'api-version' | 'account-id' | 'region' | 'plugin' | 'bot-id' | 'library-id';
  /** File name of its icon among the console's assets. */
  readonly icon: string;
}
