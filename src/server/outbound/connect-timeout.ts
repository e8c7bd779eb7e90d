/** How long a connection to another server may take to open. */
export const CONNECT_TIMEOUT_MS = 10_000;
