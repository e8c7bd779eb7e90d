/** Bytes up to this many are copied to go out together with their head: one system call instead of two. */
export const ONE_PIECE_MAX_BYTES = 64 * 1024;
