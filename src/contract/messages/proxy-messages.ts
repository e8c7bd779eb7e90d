/** What goes wrong between a channel and its proxy. */
export const proxyMessages = {
  channel_proxy_bad: {
    en: 'the proxy must be http://, https:// or socks5:// with host and port, and user:password where it asks for them',
    zh: '代理地址须为 http://、https:// 或 socks5:// 加主机和端口，需要时带上 用户名:密码',
  },
  channel_proxy_address: { en: 'the proxy is refused: {issue}', zh: '代理地址不可用：{issue}' },
  channel_proxy_damaged: {
    en: 'the stored password of the proxy {proxy} cannot be decrypted: enter it again',
    zh: '代理 {proxy} 已保存的密码无法解密，请重新填写',
  },
  channel_proxy_password: {
    en: 'the password is only ever sent to {proxy}: to change the proxy, enter its password again',
    zh: '密码只会发送到 {proxy}：修改代理时，请重新填写代理密码',
  },
  channel_key_proxy: {
    en: 'the upstream is not reached over https, so that a proxy sees the key: to change the proxy, enter the key again',
    zh: '上游未使用 https，代理能看到密钥：修改代理时，请重新填写密钥',
  },
  proxy_unreachable: { en: 'the proxy of the channel cannot be reached', zh: '无法连接渠道的代理' },
  proxy_late: {
    en: 'the proxy of the channel did not connect in time',
    zh: '渠道的代理未能及时建立连接',
  },
  proxy_auth: {
    en: 'the proxy of the channel refuses the user name or password',
    zh: '渠道的代理拒绝了用户名或密码',
  },
  proxy_refused: {
    en: 'the proxy of the channel does not connect to the upstream (status {status})',
    zh: '渠道的代理未能连接到上游（状态 {status}）',
  },
  proxy_broken: {
    en: 'the proxy of the channel broke off or does not speak the protocol of its address',
    zh: '渠道的代理中断了连接，或不支持其地址所示的协议',
  },
} as const;
