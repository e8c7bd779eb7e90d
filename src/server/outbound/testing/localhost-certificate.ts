/** A key and a certificate for `localhost`, valid until 2126, for test servers; they are public. */
export const localhostKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+ksugyuiV1CNxmtx
bbkcR0meSe1HmbtRq4pGmuVlJcShRANCAAStUdFviSduxUjFkbtN2tWbAeSwM7QY
lZg8H1Q8ooh8eNuZsG1FhKGzUC4GR2MweM7TtNDz8xUCMkC+xW70xqof
-----END PRIVATE KEY-----`;

export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUXrr1otylNgegFlEFwNLUITkeY/owCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE4NTczMVoYDzIxMjYxMDI4
MTg1NzMxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAStUdFviSduxUjFkbtN2tWbAeSwM7QYlZg8H1Q8ooh8eNuZsG1FhKGz
UC4GR2MweM7TtNDz8xUCMkC+xW70xqofo2kwZzAdBgNVHQ4EFgQUiz3K9CzYEb1t
sMkgs4L/y++pVJ0wHwYDVR0jBBgwFoAUiz3K9CzYEb1tsMkgs4L/y++pVJ0wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgVdb3M7XHmBgbjR2UXo5/IRcPb7cT/pSZecTsASCo+cYCIAriieh3Wn0q
WumbaE4j1cbo/2Djw2enbCYpO5egaNNO
-----END CERTIFICATE-----`;
