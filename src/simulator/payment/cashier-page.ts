const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** The page a payer sees: what is asked for, and a button that pays it. Nothing is ever charged. */
export const cashierPage = (order: Readonly<Record<string, string>>): string => `<!doctype html>
<html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Simulated cashier · 模拟收银台</title>
<body style="font:16px/1.6 system-ui;margin:0;background:#f3f4f6;color:#14161b">
<main style="max-width:380px;margin:12vh auto;background:#fff;border:1px solid #e4e6eb;border-radius:16px;padding:28px;text-align:center">
<h1 style="font-size:18px;margin:0 0 4px">模拟收银台</h1>
<p style="margin:0;color:#666d7a">Simulated cashier, no money moves</p>
<p style="font:600 36px/1.4 system-ui;margin:20px 0 0">¥${escape(order['money'] ?? '')}</p>
<p style="margin:0 0 20px;color:#666d7a">${escape(order['name'] ?? '')} · ${escape(order['type'] ?? '')}</p>
<form method="post" action="/pay"><input type="hidden" name="out_trade_no" value="${escape(order['out_trade_no'] ?? '')}">
<button style="font:inherit;width:100%;padding:12px;border:0;border-radius:10px;background:#1677ff;color:#fff">支付 · Pay</button>
</form></main></body></html>`;
