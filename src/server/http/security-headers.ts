/** What every page of ours tells browsers, whatever it shows. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

interface Widgets {
  readonly turnstile_check?: boolean;
  readonly telegram_oauth?: boolean;
}

/** Whose scripts the site needs: a human check and a sign-in button bring their own, while they are switched on. */
export const scriptHostsOf = ({ turnstile_check: check, telegram_oauth: telegram }: Widgets): string[] => [
  ...(check === true ? ['https://challenges.cloudflare.com'] : []),
  ...(telegram === true ? ['https://telegram.org'] : []),
];

/**
 * Scripts only from our own files; pictures from anywhere, because logos are addresses; styles inline, because the
 * component library sets its variables so. Pages others made (chat programs) may be shown in a frame, never the other
 * way round; a payment is a form posted to the payment gateway.
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
