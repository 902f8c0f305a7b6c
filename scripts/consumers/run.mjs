/**
 * After `npm run build`: the package as its users get it. It is packed, twice, and installed into fresh projects outside
 * of the repository, and each of them calls a real server on the loopback interface. Needs a registry and a chromium.
 *
 *   npm run check:consumers [-- <name> …]    all, or those that are named
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consumers } from './consumers.mjs';
import { recipes } from './recipes.mjs';
import { openBakery } from './support/bakery.mjs';
import { openBrowser } from './support/browser.mjs';
import { temporaryFolder } from './support/project.mjs';
import { packTwice, strangersIn } from './support/tarball.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const wanted = process.argv.slice(2);
const all = { ...consumers, ...recipes };
const unknown = wanted.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${Object.keys(all).join(', ')}`);
  process.exit(2);
}

const failed = [];
const say = (holds, claim) => {
  console.log(`${holds ? 'holds' : 'FAILS'}: ${claim}`);
  if (!holds) failed.push(claim);
};

const temporary = temporaryFolder();
const bakery = await openBakery();
let browser;
try {
  const [first, second] = await packTwice(root, temporary);
  say(first.digest === second.digest, `the tarball is the same when it is packed again: sha256 ${first.digest}`);
  const { strangers, missing } = strangersIn(first.files);
  say(
    strangers.length === 0,
    `the tarball has only what is needed${strangers.map((file) => `, not ${file}`).join('')}`,
  );
  say(missing.length === 0, `the tarball has all that is needed${missing.map((file) => `, but ${file}`).join('')}`);
  const kb = (bytes) => Math.round(bytes / 1_024);
  console.log(`       ${first.files.length} files, ${kb(first.size)} KB, ${kb(first.unpackedSize)} KB unpacked`);

  browser = await openBrowser();
  for (const [name, consume] of Object.entries(all)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const folder = join(temporary, name);
    const started = Date.now();
    try {
      const lines = await consume({ root, folder, tarball: first.path, server: bakery.url, browser });
      say(true, `${name} (${((Date.now() - started) / 1_000).toFixed(1)} s)`);
      for (const line of lines ?? []) console.log(`       ${line}`);
    } catch (error) {
      say(false, name);
      console.log(String(error.message).replace(/^/gm, '       '));
    }
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  await browser?.close();
  bakery.close();
  rmSync(temporary, { recursive: true, force: true });
}
process.exitCode = failed.length === 0 ? 0 : 1;
