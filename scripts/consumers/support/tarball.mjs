// The package as it is published: packed, and what is in it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './project.mjs';

/** Everything that belongs into it. What is not named here makes the check fail, on purpose. */
const BELONGS = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  // Guides, and the pictures in them.
  /^docs\/[a-z-]+\.(md|svg)$/,
  // What is bundled asks that its licence goes with it.
  /^dist\/(cli\/)?LICENSES\.txt$/,
  /^dist\/(index|stdio|config|testing|testing-node|auth|auth-node)\.(js|js\.map|cjs|cjs\.map|d\.ts|d\.cts)$/,
  /^dist\/http-engine-(node|fetch)\.(js|js\.map|cjs|cjs\.map|d\.ts|d\.cts)$/,
  // No export leads there: each keeps what it has in a file of its own, apart from what is loaded on first use.
  /^dist\/(connect-http|errors|fingerprint|memory-cache|messages|registry)\.(js|js\.map|cjs|cjs\.map|d\.ts|d\.cts)$/,
  // What entries share.
  /^dist\/chunk-[A-Z0-9]{8}\.(js|js\.map|cjs|cjs\.map)$/,
  /^dist\/[a-z\d-]+-[A-Z0-9]{8}\.(js|js\.map|cjs|cjs\.map)$/,
  /^dist\/[a-z-]+-[\w-]{8}\.(d\.ts|d\.cts)$/,
  // The command.
  /^dist\/cli\.js$/,
  /^dist\/cli\/[a-z\d-]+-[A-Z0-9]{8}\.js$/,
];

const MUST = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'dist/LICENSES.txt', 'dist/index.js'];

/** Packs the package twice, and says what differs from what is wanted. */
export const packTwice = async (root, target) => {
  const packs = [];
  for (const name of ['first', 'second']) {
    const folder = join(target, name);
    mkdirSync(folder, { recursive: true });
    const printed = await run(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--silent', `--pack-destination=${folder}`],
      {
        cwd: root,
      },
    );
    // npm 12 answers with an object, by name; earlier ones with a list.
    const [{ filename, files, size, unpackedSize }] = Object.values(JSON.parse(printed));
    const path = join(folder, filename);
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    packs.push({ path, digest, size, unpackedSize, files: files.map((file) => file.path) });
  }
  return packs;
};

/** What is in a tarball and should not be, and what is missing. */
export const strangersIn = (files) => ({
  strangers: files.filter((file) => !BELONGS.some((pattern) => pattern.test(file))),
  missing: MUST.filter((file) => !files.includes(file)),
});
