/**
 * A browser that shows nothing: goes to a URL, keeps cookies, follows every redirect, and prints the page it ends at. What an
 * authorization server asks there is answered by that server itself.
 *
 *     node headless-browser.mjs <url>
 */
const cookies = new Map();
let next = process.argv[2];
for (;;) {
  const { host } = new URL(next);
  const jar = cookies.get(host) ?? new Map();
  cookies.set(host, jar);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
  for (const set of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    if (name !== undefined) jar.set(name, value);
  }
  const location = response.headers.get('location');
  if (location === null) {
    process.stdout.write(await response.text());
    break;
  }
  next = new URL(location, next).href;
}
