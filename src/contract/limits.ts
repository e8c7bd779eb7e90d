/** Every limit a caller can hit, in one place, so that server, console and tests agree. */

/** Quota units in one US dollar. */
export const QUOTA_PER_UNIT = 500_000;
/** What calls cost the operator is counted in billionths of a US dollar. */
export const NANO_PER_USD = 1e9;
/** The most decimals that amounts of money are shown with. */
export const MONEY_DECIMALS_MAX = 6;
/** The largest possible quota: larger integers are not exact in JavaScript. */
export const MAX_QUOTA_UNITS = Number.MAX_SAFE_INTEGER;

export const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 10;
export const MAX_PAGE_SIZE = 100;

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;
/** Of a password that the server makes up. */
export const MADE_PASSWORD_LENGTH = 16;
export const USERNAME_MAX_LENGTH = 12;
export const DISPLAY_NAME_MAX_LENGTH = 20;
export const EMAIL_MAX_LENGTH = 254;
/** Of the code that invites others. */
export const AFF_CODE_LENGTH = 8;

export const PASSKEY_NAME_MAX_LENGTH = 50;
export const PASSKEYS_PER_USER_MAX = 20;

export const TOKEN_NAME_MAX_LENGTH = 50;
export const TOKEN_TAG_MAX_LENGTH = 50;
export const TOKEN_BATCH_MAX = 100;
export const TOKENS_PER_USER_MAX = 1000;
export const TOKEN_KEY_LENGTH = 48;
export const TOKEN_DEFAULT_QUOTA = 500_000;
export const TOKEN_SUFFIX_LENGTH = 6;

export const REDEMPTION_NAME_MAX_LENGTH = 20;
export const REDEMPTION_BATCH_MAX = 100;
export const REDEMPTION_DEFAULT_QUOTA = 100_000;
/** Characters of `[0-9A-Za-z]`: 190 bits, which nobody can guess. */
export const REDEMPTION_KEY_LENGTH = 32;

export const CHANNEL_NAME_MAX_LENGTH = 100;
/** Keys of one channel. */
export const CHANNEL_KEYS_MAX = 1000;
/** As many keys in one text. */
export const CHANNEL_KEYS_TEXT_MAX_LENGTH = 512 * 1024;

/** OpenAI: the type of a new channel. */
export const CHANNEL_DEFAULT_TYPE = 1;
export const CHANNEL_KEY_MAX_LENGTH = 64 * 1024;
export const CHANNEL_PRIORITY_MIN = -999;
export const CHANNEL_PRIORITY_MAX = 1_000_000;
export const CHANNEL_REMARK_MAX_LENGTH = 500;
export const CHANNEL_WEIGHT_MAX = 1_000_000;
export const CHANNEL_MODELS_MAX = 2000;
export const CHANNEL_TAG_MAX_LENGTH = 100;
/** Maximum number of channels to delete or tag in one call. */
export const CHANNEL_BATCH_MAX = 1000;

export const MODEL_NAME_MAX_LENGTH = 255;
export const GROUP_NAME_MAX_LENGTH = 64;
export const URL_MAX_LENGTH = 2048;
export const SEARCH_MAX_LENGTH = 200;
/** Small JSON settings: mappings, overrides. */
export const SETTING_MAX_LENGTH = 64 * 1024;
/** A whole option value: the price tables of thousands of models fit. */
export const OPTION_MAX_LENGTH = 4 * 1024 * 1024;

/** Read in a few milliseconds; every list and text that a call may have fits. */
export const API_BODY_MAX_BYTES = 2 * 1024 * 1024;
/** For values of options, which are texts of texts. */
export const OPTION_BODY_MAX_BYTES = 8 * 1024 * 1024;
/** For calls that need no account. */
export const PUBLIC_BODY_MAX_BYTES = 64 * 1024;
export const RELAY_BODY_MAX_BYTES = 32 * 1024 * 1024;

export const USER_ID_HEADER = 'New-Api-User';
export const REQUEST_ID_HEADER = 'X-Oneapi-Request-Id';
/** Where published seals are read, by everybody. */
export const SEALS_PATH = '/.well-known/tollgate-seals.json';
/** Where a payment gateway reports paid orders. */
export const EPAY_NOTIFY_PATH = '/api/user/epay/notify';

/** What the limits of a channel may be. */
export const CHANNEL_CAPACITY = {
  calls_per_minute: { min: 1, max: 1_000_000 },
  tokens_per_minute: { min: 1, max: 1_000_000_000 },
  concurrent_calls: { min: 1, max: 100_000 },
  calls_per_day: { min: 1, max: 1_000_000_000 },
  queue_calls: { min: 0, max: 1000 },
  queue_wait_ms: { min: 100, max: 60_000 },
} as const;

/** Rows that wait for their seal are counted up to this number. */
export const MOST_UNSEALED_COUNTED = 10_000;

/** The length of a note at a link to a token's usage. */
export const USAGE_LINK_NOTE_MAX = 50;

/** Days that the page of such a link shows, until now. */
export const USAGE_LINK_DAYS = 30;

/** An upstream's file that is compared, and how much of its beginning tells its columns. */
export const RECONCILED_FILE_MAX_BYTES = 64 * 1024 * 1024;
export const RECONCILED_HEAD_BYTES = 64 * 1024;
