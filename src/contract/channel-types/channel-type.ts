/** What the console shows of a channel type. What the server knows of it is in its folder under `src/server/providers`. */
export interface ChannelType {
  readonly id: number;
  readonly label: string;
  /** Its default address; empty if there is none: see `needsAddress`. */
  readonly baseUrl: string;
  /** It needs no address: the channel's region gives it. */
  readonly addressByRegion?: true;
  /** The meaning of its `other` field, if it has one. */
  readonly other?: 'api-version' | 'account-id' | 'region' | 'plugin' | 'bot-id' | 'library-id';
  /** File name of its icon in `@lobehub/icons-static-svg`, without its ending; `custom` if it has none there. */
  readonly icon: string;
}

/** What helps somebody who makes a channel of a type. */
export interface TypeGuide {
  /** Its Chinese name, where that differs. */
  readonly labelZh?: string;
  /** Further names that find it in the list of types, in any language. */
  readonly otherNames: string;
  /** The format of its key, where the key has several parts. */
  readonly keyHint?: string;
  /** Which sentence names another kind of key that it accepts: `form.keyAlso` in the console's texts. */
  readonly keyAlso?: 'any' | 'spark' | 'tencent' | 'aws';
  /** The page where its keys are made. */
  readonly keyPage?: string;
  /** How its keys begin. */
  readonly keyExample?: string;
}

/** A type and its guide, in one row. */
export interface GuidedType extends ChannelType {
  /** Read it by `typeGuide`: the console's build leaves it out of the rows, so that lists load without it. */
  readonly guide: TypeGuide;
}
