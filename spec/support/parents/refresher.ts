/**
 * Calls a server that wants an authorization, with tokens that are kept in a folder: `refresher <url> <folder>`. Says on
 * stdout what became of it. With `hold` for a third argument it takes the lock of the tokens instead, says so, and keeps it.
 */
import { oauth } from '../../../src/auth/index.js';
import { fileTokenStore } from '../../../src/auth/node/index.js';
import { connectHttp } from '../../../src/bridge/connect/http.js';

const [url = '', directory = '', key] = process.argv.slice(2);
const store = fileTokenStore({ directory });

if (key !== undefined) {
  store.lock!(key).subscribe({ next: () => console.log('held'), error: (reason) => console.log(String(reason)) });
} else {
  const authProvider = oauth({ redirectUri: 'http://127.0.0.1:7777/callback', store });
  const client = connectHttp({ url, authProvider, era: 'modern' });
  console.log('ready');
  process.stdin.once('data', () => {
    const calls = Array.from({ length: 20 }, () => client.promises.callTool('look', {}));
    void Promise.allSettled(calls).then(async (results) => {
      const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
      console.log(JSON.stringify({ answers: 20 - reasons.length, reasons }));
      await client.close();
      process.stdin.destroy();
    });
  });
}
