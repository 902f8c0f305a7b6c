/** Texts with a secret in them, which is `secret` or begins with it. */
export const textsWith = (secret: string): readonly string[] => {
  const long = `${secret}abcdefghijklmnopqrstuvwxyz0`;

  return [
    `password: ${secret}`,
    `password: correct horse ${secret}`,
    `DB_PASSWORD=${secret}`,
    `api_key = "one ${secret}"`,
    `api_key = "with \\" a quote ${secret}"`,
    `X-Api-Key: ${secret}`,
    `Authorization: Token ${secret}`,
    `Authorization: Digest username="u", response="${secret}"`,
    `curl -H "Authorization: Basic ${secret}" --user-agent x`,
    `Authorization: Bearer ${secret}`,
    `it was sent with bearer ${secret}`,
    `Cookie: a=b; sid=${secret}`,
    `a cut answer: {"user":"u","password":"${secret}`,
    `it logged {\\"password\\":\\"${secret}\\"}`,
    `npx server --token ${secret} --verbose`,
    `-----BEGIN PRIVATE KEY-----\nMIIEv${secret}\n-----END PRIVATE KEY-----`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\nMIIEv${secret}`,
    `https://app.example/cb#access_token=${secret}&expires=1`,
    `https://b.example/k?X-Amz-Algorithm=AWS4&X-Amz-Credential=${secret}`,
    `https://b.example/k?X-Amz-Signature=${secret}&X-Amz-Security-Token=${secret}`,
    ...['accessToken', 'authToken', 'api-key', 'auth', 'key', 'jwt', 'pass', 'session', 'code', 'sig'].map(
      (name) => `https://h.example/?page=1&${name}=${secret}`,
    ),
    `/login?next=https%3A%2F%2Fh.example%2F%3Ftoken%3D${secret}`,
    `postgres://admin:p@${secret}@db/x`,
    `mysql://root:a/${secret}@db`,
    `amqp://u:it's${secret}@h`,
    `redis://:${secret}@h`,
    `https://${secret}@h.example/`,
    ...['sk-', 'npm_', 'hf_', 'whsec_', 'ya29.', 'dop_v1_', 'ATATT3x', 'ghp_', 'glpat-', 'xoxb-'].map(
      (prefix) => `the key ${prefix}${long} of it`,
    ),
    `SG.${long}.lmnop`,
    'the key AKIASECRETXYZ0123456',
  ];
};

/** Names that say that what is named so is a secret, wherever it stands. */
export const SECRET_NAMES: readonly string[] = [
  ...['password', 'pwd', 'auth', 'sessionId', 'mcp-session-id', 'jwt', 'otp', 'pin', 'signature', 'connectionString'],
  ...['encryption_key', 'signingKey', 'seed_phrase', 'apiKey', 'APIKey', 'clientSecret', 'AWSAccessKeyId'],
  ...['maxAgeToken', 'maximoApiToken', 'maxwell_access_token', 'token_count_secret', 'tokenLimitPassword', 'tokens'],
];
