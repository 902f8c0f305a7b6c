// What of the official suite is run here: its own list, compared with what is expected of it.

const LEGACY = ['2025-06-18', '2025-11-25'];
const MODERN = ['2026-07-28'];
const RECENT = ['2025-11-25', ...MODERN];

/** Rows about authorization, each with how many of its checks must succeed. */
const authorization = (versions, leasts, more = {}) =>
  Object.fromEntries(Object.entries(leasts).map(([name, least]) => [`auth/${name}`, { versions, least, ...more }]));

/**
 * Each scenario that is run, with its wire versions and how many checks must succeed. A scenario whose checks are skipped,
 * or never made because the client did too little, is green in the suite: the number says that it was not.
 */
const EXPECTED = {
  initialize: { versions: LEGACY, least: 1 },
  tools_call: { versions: [...LEGACY, ...MODERN], least: 2 },
  'elicitation-sep1034-client-defaults': { versions: ['2025-11-25'], least: 5 },
  'sse-retry': { versions: ['2025-11-25'], least: 3 },
  'request-metadata': { versions: MODERN, least: 8 },
  'sep-2322-client-request-state': { versions: MODERN, least: 5 },
  // Two more are about the handshake, which a modern client does not make.
  'http-standard-headers': { versions: MODERN, least: 9 },
  'http-custom-headers': { versions: MODERN, least: 18 },
  'http-invalid-tool-headers': { versions: MODERN, least: 12 },
  'json-schema-ref-no-deref': { versions: MODERN, least: 1 },
  'json-schema-2020-12-preservation': { versions: ['2025-11-25', ...MODERN], least: 9 },

  ...authorization(RECENT, {
    'metadata-default': 18,
    'metadata-var1': 18,
    'metadata-var2': 18,
    'metadata-var3': 18,
    'basic-cimd': 12,
    'scope-from-www-authenticate': 14,
    'scope-from-scopes-supported': 14,
    'scope-omitted-when-undefined': 14,
    'scope-step-up': 23,
    'pre-registration': 12,
  }),
  ...authorization(RECENT, { 'scope-retry-limit': 3 }, { refuses: true }),
  ...authorization([...LEGACY, ...MODERN], {
    'token-endpoint-auth-basic': 19,
    'token-endpoint-auth-post': 19,
    'token-endpoint-auth-none': 19,
  }),
  ...authorization(['2025-03-26'], {
    '2025-03-26-oauth-metadata-backcompat': 13,
    '2025-03-26-oauth-endpoint-fallback': 8,
  }),
  ...authorization(MODERN, {
    'offline-access-scope': 15,
    'offline-access-not-supported': 14,
    'authorization-server-migration': 27,
    'iss-supported': 14,
    'iss-not-advertised': 14,
  }),
  ...authorization(
    MODERN,
    {
      'resource-mismatch': 2,
      'iss-supported-missing': 8,
      'iss-wrong-issuer': 8,
      'iss-unexpected': 8,
      'iss-normalized': 8,
      'metadata-issuer-mismatch': 3,
    },
    { refuses: true },
  ),
  // Off the timeline of the specification: they run at both wires.
  ...authorization(
    RECENT,
    {
      'client-credentials-jwt': 7,
      'client-credentials-basic': 7,
      'enterprise-managed-authorization': 8,
      dpop: 12,
      'dpop-nonce': 14,
      'wif-jwt-bearer': 7,
    },
    { extension: true },
  ),
};

/** Why a scenario of the suite is not run, or `undefined` where it is to be. */
const exclusion = (name) => (name.startsWith('sep-2640-') ? 'skills, an extension that is not there' : undefined);

/** What `list --client` printed, as scenarios. Throws where a line of it cannot be read. */
const readListing = (text) => {
  const lines = text.split('\n').filter((line) => /^\s+- /.test(line));
  if (lines.length === 0) throw new Error(`the suite listed no scenario: ${text.slice(0, 200)}`);
  return lines.map((line) => {
    const found = /^\s+- (\S+) \[([^\]]+)\]\s*$/.exec(line);
    if (found === null) throw new Error(`the suite listed what cannot be read: ${line}`);
    return { name: found[1], versions: found[2].split(',').map((version) => version.trim()) };
  });
};

/**
 * The rows to run, in the suite's order, and how many of its scenarios are excluded for which reason. A row that only one
 * side knows has a `fault`, and is not to be run.
 */
export const rowsOf = (listing) => {
  const rows = [];
  const excluded = new Map();
  const listed = readListing(listing);
  for (const { name, versions } of listed) {
    const reason = exclusion(name);
    if (reason !== undefined) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
      continue;
    }
    const expected = Object.hasOwn(EXPECTED, name) ? EXPECTED[name] : undefined;
    // What is off the timeline has no versions of its own.
    const own = expected?.extension && versions.includes('extension') ? expected.versions : versions;
    for (const version of own) {
      rows.push(
        expected?.versions.includes(version)
          ? { ...expected, name, version, era: MODERN.includes(version) ? 'modern' : 'legacy' }
          : { name, version, fault: 'the suite has it, and here it is neither run nor excluded' },
      );
    }
  }
  for (const [name, { versions }] of Object.entries(EXPECTED)) {
    for (const version of versions) {
      if (rows.some((row) => row.name === name && row.version === version)) continue;
      rows.push({ name, version, fault: 'it is expected here, and the suite does not list it' });
    }
  }
  return { rows, excluded };
};
