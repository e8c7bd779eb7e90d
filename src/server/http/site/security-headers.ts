/** The security headers of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // No DNS prefetching: a link in a model's answer could leak the conversation in its host name, before anybody
  // clicks it.
  'X-DNS-Prefetch-Control': 'off',
};

interface Widgets {
  readonly turnstile_check?: boolean;
  readonly telegram_oauth?: boolean;
}

/** Hosts whose scripts the site needs: the human check and the sign-in button, while they are enabled. */
export const scriptHostsOf = ({ turnstile_check: check, telegram_oauth: telegram }: Widgets): string[] => [
  ...(check === true ? ['https://challenges.cloudflare.com'] : []),
  ...(telegram === true ? ['https://telegram.org'] : []),
];

/**
 * Scripts only from our own files; pictures from anywhere, because logos are URLs; styles inline, because the component
 * library sets variables that way. We may frame other pages (chat programs), but nobody may frame ours; payments post a
 * form to the gateway.
 */
export const contentSecurityPolicy = (scriptHosts: readonly string[] = []): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHosts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https: http:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    'frame-src https: http:',
    "base-uri 'none'",
    "form-action 'self' https: http:",
    "frame-ancestors 'none'",
  ].join('; ');
